/** A token of a chat template, or a role that a decoder left standing alone in its line. */
const TOKEN =
  /<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|<\/?s>|<(?:pad|eos|bos|unk)>|<(?:start|end)_of_turn>|\[\/?(?:INST|TOOL_RESULTS)\]/g;

/** Tokens that open a turn whose speaker is named behind them, and the tokens that end such a header. */
const NAMED_TURN = new Set([
  '<|im_start|>',
  '<|start_header_id|>',
  '<|header_start|>',
  '<|start_of_role|>',
  '<|start|>',
  '<start_of_turn>',
]);
const HEADER =
  /^\s{0,4}[\w.]{1,24}(?: to=[\w.]{1,60})?(?:<\|(?:end_header_id|header_end|end_of_role)\|>|[ \t]{0,4}\n)?/;
/** Roles of the model itself. */
const MODEL = /^\s{0,4}(?:assistant|model|chatbot|bot|ai|gpt)\b/i;
/** Tokens that open a turn by themselves. */
const MODEL_TURN = new Set([
  '<｜Assistant｜>',
  '<|assistant|>',
  '<|Assistant|>',
  '<|im_assistant|>',
  '<|CHATBOT_TOKEN|>',
  '<｜tool▁outputs▁end｜>',
  '<｜tool▁output▁end｜>',
  '[/TOOL_RESULTS]',
]);
const OTHER_TURN = new Set([
  '<｜User｜>',
  '<|user|>',
  '<|User|>',
  '<|system|>',
  '<|observation|>',
  '<|tool|>',
  '<|ipython|>',
  '<|im_user|>',
  '<|im_system|>',
  '<|USER_TOKEN|>',
  '<|SYSTEM_TOKEN|>',
  '<｜tool▁outputs▁begin｜>',
  '<｜tool▁output▁begin｜>',
  '[TOOL_RESULTS]',
]);
/** Tokens after which nothing was said, until a turn opens. */
const TURN_END = new Set([
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|eom|>',
  '<end_of_turn>',
  '<|end|>',
  '<|call|>',
  '<|return|>',
  '<|end_of_text|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|END_RESPONSE|>',
  '<｜end▁of▁sentence｜>',
  '</s>',
]);
/** Tokens after which nothing at all was said: no template writes a turn behind them. */
const TEXT_END = new Set(['<|endoftext|>', '<eos>']);
/** Mistral's instructions are plain text to many tokenizers: behind an answer they are invented. */
const INSTRUCTION = new Set(['[INST]', '[/INST]']);

/** What the model says in its last turn that says anything. */
export interface ModelTurn {
  text: string;
  /** Whether it is the turn that the prompt opened. */
  first: boolean;
}

/**
 * The model's own last turn in a completion that still holds the tokens of its chat template. What follows a token that ends
 * a turn, outside of a new turn, is dropped; so is everything behind the end of the text. Other tokens stay.
 */
export function lastTurn(completion: string): ModelTurn {
  if (!completion.includes('<') && !completion.includes('[')) return { text: completion, first: true };
  let best: ModelTurn | null = null;
  let turn = { from: 0, speaks: true, said: false, first: true };
  let seen = 0;
  let struck = false;
  for (const { 0: token, index } of completion.matchAll(TOKEN)) {
    if (index < turn.from) continue;
    turn.said ||= completion.slice(Math.max(seen, turn.from), index).trim() !== '';
    seen = index + token.length;
    // `<s>7</s>` within a text strikes it out.
    const strikes = token === '</s>' && struck;
    struck = token === '<s>' && turn.said;
    const opened = strikes ? null : openTurn(completion, token, index, turn.speaks);
    const ends = !strikes && (TURN_END.has(token) || TEXT_END.has(token));
    if (opened === null && !(ends && turn.said)) continue;
    if (turn.speaks && turn.said) best = { text: completion.slice(turn.from, index), first: turn.first };
    if (best !== null && (TEXT_END.has(token) || INSTRUCTION.has(token))) return best;
    turn = { from: seen, speaks: false, said: false, first: false, ...opened };
  }
  turn.said ||= completion.slice(Math.max(seen, turn.from)).trim() !== '';
  if (turn.speaks && turn.said) best = { text: completion.slice(turn.from), first: turn.first };
  return best ?? { text: '', first: turn.first };
}

/** The turn that a token opens: where its text starts, and whether the model speaks; null where it opens none. */
function openTurn(
  completion: string,
  token: string,
  index: number,
  speaks: boolean,
): { from: number; speaks: boolean } | null {
  const from = index + token.length;
  if (NAMED_TURN.has(token)) {
    const head = completion.slice(from, from + 120);
    return { from: from + (HEADER.exec(head)?.[0].length ?? 0), speaks: MODEL.test(head) };
  }
  if (token === '<|channel|>') {
    // The commentary channel is the talk with tools; the marks of the others are those of reasoning.
    if (completion.startsWith('commentary', from)) return { from, speaks: false };
    return speaks ? null : { from: index, speaks: true };
  }
  if (MODEL_TURN.has(token) || token === '[/INST]') return { from, speaks: true };
  return OTHER_TURN.has(token) || token === '[INST]' ? { from, speaks: false } : null;
}

/** The text without the tokens of chat templates. */
export function stripSpecialTokens(text: string): string {
  return text.includes('<') || text.includes('[') ? text.replace(TOKEN, '\n') : text;
}
