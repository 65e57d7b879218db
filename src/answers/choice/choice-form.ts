const WRAPPER = /\\(?:text|textbf|textrm|mathrm|mathbf|mbox|boldsymbol|bf|rm)\s{0,4}\{([^{}]{0,200})\}/g;
const NOISE = /\$|\\[()[\], ;!]|~|\\(?:bf|rm|left|right)(?![a-zA-Z])|[*`_"“”]/g;
const LABEL = /^(?:(?:the )?(?:correct |best |right )?(?:option|choice|answer)s?(?: is)?\s?[:：]?\s{0,4})?/i;
const LETTER = /^[([{【（]?\s{0,2}([A-Ja-j])(?![A-Za-z0-9'’])/;
/** Another option, joined by a mark or a word; or after a bare label one more that ends as a label does. */
const OTHER =
  /^[)\]}.:\s]{0,3}(?:,|\/|&|\+|;|\||[-–—~∨∪]|or\b|and\b|、|或|和)\s{0,3}(?:(?:or|and)\s{1,3})?[([]?\s{0,2}[A-J](?![A-Za-z0-9'’])/;
const ADJACENT = /^[)\]}.:,;\s]{0,4}[([]?\s?[A-J](?:[)\]}.:,;/]|\s{0,4}$)/;
/** A comma goes on with another option sooner than with the text of this one. */
const AFTER_COMMA =
  /^\s?[,;，；]\s?(?!because|since|as\b|not\b|rather|unlike).{0,80}?(?<![A-Za-z0-9'’])[B-HJ](?![A-Za-z0-9'’])/s;

/** What a short text is as a choice: a letter, `several` options, or `none`. */
export type ChoiceForm = string;

/**
 * Reads a whole short text as a choice: `B`, `(B)`, `B.`, `\text{B}`, `Option B`, `B: the text`, `B The text`. It is `several`
 * when it names more than one option, and `none` when it has no such form (`D is the midpoint`).
 */
export function readChoiceForm(content: string): ChoiceForm {
  let text = content.slice(0, 400);
  for (let depth = 0; depth < 4; depth += 1) text = text.replace(WRAPPER, '$1');
  text = text.replace(NOISE, ' ').trim();
  const start = LABEL.exec(text)?.[0].length ?? 0;
  return readLetter(text.slice(start)) ?? readLetter(text) ?? 'none';
}

function readLetter(text: string): ChoiceForm | null {
  const match = LETTER.exec(text);
  if (match === null) return null;
  const letter = match[1] ?? '';
  const rest = text.slice(match[0].length);
  if (OTHER.test(rest) || ADJACENT.test(rest) || AFTER_COMMA.test(rest)) return 'several';
  if (!endsLabel(rest, letter)) return null;
  return letter.toUpperCase();
}

/** A label ends at a delimiter, at the end, or before a capitalised or non-Latin text. */
function endsLabel(rest: string, letter: string): boolean {
  if (/^\s*$/.test(rest) || /^\s?[)\]}.:：。，、,）】]/.test(rest)) return true;
  if (/^\s*\P{ASCII}/u.test(rest)) return true;
  return letter === letter.toUpperCase() && /^\s+[A-Z][A-Za-z]/.test(rest);
}
