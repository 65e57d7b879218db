/** Opening and closing marks of reasoning, by model family. */
const MARKS: ReadonlyArray<readonly [open: string, close: string]> = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];

/**
 * Cuts reasoning blocks. An unclosed block runs to the end of the text; a closing mark without an opening
 * one (the template held the opening) cuts everything before it. Text without marks comes back unchanged.
 */
export function cutReasoning(text: string): string {
  let result = text;
  for (const [open, close] of MARKS) result = cutBlocks(result, open, close);
  return result;
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
