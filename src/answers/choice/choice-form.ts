const WRAPPER = /^\\(?:text|textbf|mathrm|mathbf|mbox|bf|rm)\s{0,4}\{([^{}]{0,200})\}$/;
const FORM =
  /^(?:(?:the )?(?:correct )?(?:option|choice|answer)s?(?: is)?:?\s{0,4})?[([{]?\s{0,4}([A-Ja-j])\s{0,4}([)\]}.:,]|$|\s)/i;
const OTHER = /^\s{0,4}(?:,|\/|&|\+|or\b|and\b|;)\s{0,4}(?:(?:or|and)\s{1,4})?[([]?\s{0,4}[A-J](?![A-Za-z'])/;

/**
 * Reads a whole short text as a choice: `B`, `(B)`, `B.`, `\text{B}`, `Option B`, `B: the text`. `several` when it
 * names more than one option, `none` when it has no such form (`D is the midpoint`).
 */
export function readChoiceForm(content: string): string {
  let text = content.trim().slice(0, 400);
  for (;;) {
    const inside = WRAPPER.exec(
      text
        .replace(/^\$+|\$+$/g, '')
        .replace(/^\\\(|\\\)$/g, '')
        .trim(),
    );
    if (inside === null) break;
    text = (inside[1] ?? '').trim();
  }
  text = text
    .replace(/^\$+|\$+$/g, '')
    .replace(/^\\\(|\\\)$/g, '')
    .trim();
  const match = FORM.exec(text);
  if (match === null) return 'none';
  const letter = match[1] ?? '';
  const rest = text.slice(match[0].length - (/[,\s]/.test(match[2] ?? '') ? 1 : 0));
  if (OTHER.test(rest)) return 'several';
  const delimited = /[)\]}.:]/.test(match[2] ?? '');
  if (!delimited && rest.trim() !== '') return 'none';
  return letter.toUpperCase();
}
