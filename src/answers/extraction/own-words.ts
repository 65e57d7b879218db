import type { ReasoningPolicy } from '../reasoning-policy.ts';
import { lastPlainTurn } from './plain-turns.ts';
import { cutReasoning, cutUnmarkedReasoning } from './reasoning.ts';
import { dropToolText } from './tool-text.ts';
import { lastTurn, stripSpecialTokens } from './turns.ts';

/**
 * What the model itself says in its last turn, outside of reasoning: no other speaker, no tool output, no chat-template
 * tokens. Only the first turn can have had its reasoning opened by the prompt.
 */
export function ownWords(completion: string, reasoning: ReasoningPolicy = 'in-completion'): string {
  return dropToolText(lastPlainTurn(withoutMarks(completion, reasoning)));
}

/** All marks of turns and of reasoning start with one of three characters: most completions are done with one look for them. */
function withoutMarks(completion: string, reasoning: ReasoningPolicy): string {
  if (!completion.includes('<') && !completion.includes('[') && !completion.includes('◁'))
    return cutUnmarkedReasoning(completion, reasoning);
  const turn = lastTurn(completion);
  const policy = reasoning === 'opened-by-prompt' && !turn.first ? 'in-completion' : reasoning;
  return stripSpecialTokens(cutReasoning(turn.text, policy));
}
