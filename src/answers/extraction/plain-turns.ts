/** A role alone in its line, or glued to what came before, as a decoder leaves it that drops the tokens of the template. */
const ROLE = /(?:^|\n|(?<=[^\w\s]))(user|tool|ipython|assistant|model)[ \t]{0,4}\n/g;
const OTHER_ROLES = ['user', 'tool', 'ipython'];
const LAST_LETTERS = OTHER_ROLES.map((role) => role.charCodeAt(role.length - 1));

/**
 * The model's own last turn in a completion whose template lost its tokens: behind a line `user` or `tool`, a later line
 * `assistant` or `model` opens it. Without such a pair the text comes back unchanged.
 */
export function lastPlainTurn(text: string): string {
  if (!holdsOtherRole(text)) return text;
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

/** Whether some line ends in the role of another speaker: without one there is no turn to tell apart. */
function holdsOtherRole(text: string): boolean {
  for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
    let end = line;
    let last = text.charCodeAt(end - 1);
    while ((last === 0x20 || last === 0x09) && line - end < 4) {
      end -= 1;
      last = text.charCodeAt(end - 1);
    }
    if (LAST_LETTERS.includes(last) && OTHER_ROLES.some((role) => text.endsWith(role, end))) return true;
  }
  return false;
}
