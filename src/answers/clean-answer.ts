const MINUS = /[\u2212\u2013\uFE63\uFF0D]/g;
const SPACING = /\\(?:[,!;: ]|quad(?![a-zA-Z])|qquad(?![a-zA-Z]))|[~\u00a0\u2009\u202f]/g;
const SIZING = /\\(?:left|right|displaystyle|bigl|bigr|Bigl|Bigr)(?![a-zA-Z])/g;
const TEXT_GROUP =
  /\\(?:text|textbf|textit|mathrm|mathbf|mbox|textnormal|operatorname)\s{0,4}\{([^{}]{0,400})\}/g;

/** Removes what LaTeX spelling adds to an answer without meaning: delimiters, sizing, spacing, text groups. */
export function cleanAnswer(answer: string): string {
  let text = answer
    .replace(MINUS, '-')
    .replace(SIZING, '')
    .replace(/\{,\}|,\\!/g, ',')
    .replace(SPACING, ' ');
  text = text.replace(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac').replace(/\\(?=[$%])/g, '');
  for (let depth = 0; depth < 4; depth += 1) text = text.replace(TEXT_GROUP, ' $1 ');
  text = text.trim();
  if (/^\$[^$]*\$\.?$/.test(text)) text = text.replace(/\$\.?$/, '').slice(1);
  text = text.replace(/\s+/g, ' ').trim();
  if (text.endsWith('.') && !text.endsWith('..')) text = text.slice(0, -1).trim();
  return text;
}
