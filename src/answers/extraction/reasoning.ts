import type { ReasoningPolicy } from '../reasoning-policy.ts';

/** Opening and closing marks of reasoning, by model family. */
const MARKS: ReadonlyArray<readonly [open: string, close: string]> = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];
/** A text without the character that a pair of marks starts with is not searched for them. */
const FIRST_CHARS = [...new Set(MARKS.map(([open]) => open.charAt(0)))];

/** The analysis and final channels of a completion whose tokens the decoder dropped. */
const PLAIN_ANALYSIS = /^\s{0,16}analysis(?=[A-Z])/;
const PLAIN_FINAL = 'assistantfinal';

/** The headers after which the model speaks, as far as templates end a prompt with one. */
const MODEL_HEADER =
  /<\|im_start\|>assistant|<\|(?:start_header_id|header_start|start_of_role)\|>assistant<\|(?:end_header_id|header_end|end_of_role)\|>|<start_of_turn>model|<｜Assistant｜>|<\|[Aa]ssistant\|>|<\|CHATBOT_TOKEN\|>|<\|start\|>assistant|\[\/INST\]/g;

/**
 * Cuts reasoning blocks. An unclosed block runs to the end of the text; a closing mark without an opening
 * one (the template held the opening) cuts everything before it. Text without marks comes back unchanged.
 */
export function cutReasoning(text: string, policy: ReasoningPolicy = 'in-completion'): string {
  if (policy === 'none') return text;
  let result = policy === 'opened-by-prompt' ? afterFirstClose(text) : text;
  result = afterPlainAnalysis(result);
  const present = FIRST_CHARS.filter((char) => result.includes(char));
  for (const [open, close] of MARKS) {
    if (present.includes(open.charAt(0))) result = cutBlocks(result, open, close);
  }
  return result;
}

/** The same for a text that holds none of the marks. */
export function cutUnmarkedReasoning(text: string, policy: ReasoningPolicy): string {
  if (policy === 'none') return text;
  return policy === 'opened-by-prompt' ? '' : afterPlainAnalysis(text);
}

function afterPlainAnalysis(text: string): string {
  if (!PLAIN_ANALYSIS.test(text)) return text;
  const final = text.lastIndexOf(PLAIN_FINAL);
  return final < 0 ? '' : text.slice(final + PLAIN_FINAL.length);
}

/**
 * Whether a prompt ends inside a reasoning block: it ends in an opening mark, or one opens the model's own turn and
 * nothing closes it there. An instruction that only mentions the marks opens nothing.
 */
export function opensReasoning(prompt: string): boolean {
  const text = prompt.trimEnd();
  if (MARKS.some(([open]) => text.endsWith(open))) return true;
  let from = -1;
  for (const header of text.matchAll(MODEL_HEADER)) from = header.index + header[0].length;
  if (from < 0) return false;
  const turn = text.slice(from).trimStart();
  return MARKS.some(([open, close]) => turn.startsWith(open) && !turn.includes(close));
}

function afterFirstClose(text: string): string {
  let at = -1;
  let end = -1;
  for (const [, close] of MARKS) {
    const found = text.indexOf(close);
    if (found >= 0 && (at < 0 || found < at)) {
      at = found;
      end = found + close.length;
    }
  }
  return end < 0 ? '' : text.slice(end);
}

function cutBlocks(text: string, open: string, close: string): string {
  let opened = text.indexOf(open);
  let closed = text.indexOf(close);
  if (opened < 0 && closed < 0) return text;
  let kept = '';
  let at = 0;
  while (opened >= 0 || closed >= 0) {
    if (closed >= 0 && (opened < 0 || closed < opened)) {
      kept = '';
      at = closed + close.length;
    } else {
      kept += `${text.slice(at, opened)}\n`;
      const end = closed >= opened ? closed : text.indexOf(close, opened);
      if (end < 0) return kept;
      at = end + close.length;
    }
    if (opened >= 0 && opened < at) opened = text.indexOf(open, at);
    if (closed >= 0 && closed < at) closed = text.indexOf(close, at);
  }
  return kept + text.slice(at);
}
