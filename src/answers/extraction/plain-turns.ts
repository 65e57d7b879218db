/** A role alone in its line, or glued to what came before, as a decoder leaves it that drops the tokens of the template. */
const ROLE = /(?:^|\n|(?<=[^\w\s]))(user|tool|ipython|assistant|model)[ \t]{0,4}\n/g;

/**
 * The model's own last turn in a completion whose template lost its tokens: behind a line `user` or `tool`, a later line
 * `assistant` or `model` opens it. Without such a pair the text comes back unchanged.
 */
export function lastPlainTurn(text: string): string {
  if (!text.includes('assistant') && !text.includes('model')) return text;
  let from = 0;
  let best = text;
  let other = false;
  for (const role of text.matchAll(ROLE)) {
    const model = role[1] === 'assistant' || role[1] === 'model';
    if (model && other) {
      from = role.index + role[0].length;
      if (text.slice(from, from + 400).trim() !== '') best = text.slice(from);
    } else if (!model && !other && from > 0) best = text.slice(from, role.index);
    else if (!model && !other) best = text;
    other = !model;
  }
  return best;
}
