import { hashText, MAX_ANSWER_LENGTH } from '../text-key.ts';

const NUMBER_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten'
    .split(' ')
    .map((word, value) => [word, String(value)]),
);

/**
 * Unit words that the reference deletes wherever they stand alone, among them single letters, which is why `a+b` comes out
 * as `+b` and `(c)` as `()`. Our own list: rare words of the reference's may be missing.
 */
const UNITS = (
  'degrees? mph kmph kmh ft feet foot inch(?:es)? in\\. yards? yd miles? mi meters? metres? m cm mm km dm liters? litres? ml ' +
  'grams? gm kg mg lbs? pounds? ounces? oz tons? hours? hr minutes? min seconds? sec days? weeks? months? years? yr am pm ' +
  'dollars? cents? rupees? rs percent units? square cubic sq cu men women man woman people apples? gallons? gal acres? ' +
  'hectares? rounds? number a c d g h l o p s t th st'
).split(' ');
const UNIT = new RegExp(`(^|\\W)(?:${UNITS.join('|')})(?=\\W|$)`, 'g');
const TEXT = /\\(?:text|mbox|mathrm|textbf|mathbf)\s?\{(.*?)\}/g;

/** The string that the reference votes with and compares: a fixed series of rewritings of the answer's spelling. */
export function normaliseQwen(answer: string): string {
  // The rewritings below are quadratic in the worst case.
  if (answer.length > MAX_ANSWER_LENGTH) return `long:${hashText(answer.trim())}`;
  let text = answer.trim().replaceAll('\n', '').replace(/\.$/, '').replaceAll('\\!', '');
  text = text
    .replace(/\\begin\{array\}\{.*?\}/g, '\\begin{pmatrix}')
    .replaceAll('\\end{array}', '\\end{pmatrix}');
  text = text
    .replaceAll('bmatrix', 'pmatrix')
    .replace(/\\[td]frac/g, '\\frac')
    .replaceAll('\\neq', '\\ne');
  text = text
    .replaceAll('\\leq', '\\le')
    .replaceAll('\\geq', '\\ge')
    .replace(/\\(?:left|right)(?![a-z])/g, '');
  text = text.replaceAll('\\{', '{').replaceAll('\\}', '}');
  text = text.replace(/\\text\{.*?\}$/, (tail) => (text === tail ? tail : '')).trim();
  for (let rounds = 0; rounds < 2; rounds += 1) text = text.replace(UNIT, '$1');
  text = text
    .replace(/\^\s?\{?\\circ\}?/g, '')
    .replaceAll('\\$', '')
    .replaceAll('$', '');
  text = Object.hasOwn(NUMBER_WORDS, text) ? (NUMBER_WORDS[text] ?? text) : text;
  text = text.replace(TEXT, '$1').replace(/\\?%/g, '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.');
  text = text
    .replaceAll('\\cdot', '')
    .replaceAll('infinity', '\\infty')
    .replace(/(?<!\\)inf(?=\W|$)/g, '\\infty');
  text = text.replace(/(\d+)\.0*(?=[^\d]|$)/g, '$1');
  if (text.startsWith('.')) text = `0${text}`;
  text = dropShortLeftSide(text);
  text = text.replace(/\\sqrt\s?(\w)/g, '\\sqrt{$1}').replaceAll(' ', '');
  return writeFractions(text);
}

/** `x=5` is 5 where the left side has at most two characters. */
function dropShortLeftSide(text: string): string {
  const sides = text.split('=');
  return sides.length === 2 && (sides[0] ?? '').trim().length <= 2 ? (sides[1] ?? '').trim() : text;
}

function writeFractions(text: string): string {
  const braced = text.replace(
    /\\frac\s?(\d|[a-z])\s?(\d|[a-z]|(?=\{))/gi,
    (_, top: string, bottom: string) => (bottom === '' ? `\\frac{${top}}` : `\\frac{${top}}{${bottom}}`),
  );
  if (braced === '0.5') return '\\frac{1}{2}';
  const slash = /^(-?\d+)\/(-?\d+)$/.exec(braced);
  return slash === null ? braced : `\\frac{${slash[1] ?? ''}}{${slash[2] ?? ''}}`;
}
