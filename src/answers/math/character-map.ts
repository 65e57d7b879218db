import { foldDigits } from './fold-digits.ts';

/** LaTeX or ASCII spelling of the Unicode characters that answers are written with. */
const MAP: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '﹣': '-',
  '－': '-',
  '＋': '+',
  '×': '\\times ',
  '✕': '\\times ',
  '⋅': '\\cdot ',
  '·': '\\cdot ',
  '∙': '\\cdot ',
  '∗': '*',
  '÷': '\\div ',
  '∕': '/',
  '⁄': '/',
  '／': '/',
  '＝': '=',
  '＜': '<',
  '＞': '>',
  '≤': '\\le ',
  '⩽': '\\le ',
  '≦': '\\le ',
  '≥': '\\ge ',
  '⩾': '\\ge ',
  '≧': '\\ge ',
  '≠': '\\ne ',
  '≈': '\\approx ',
  '≃': '\\approx ',
  '≡': '\\equiv ',
  '±': '\\pm ',
  '∓': '\\mp ',
  '∞': '\\infty ',
  '√': '\\sqrt ',
  '∛': '\\sqrt[3]',
  '∪': '\\cup ',
  '⋃': '\\cup ',
  '∩': '\\cap ',
  '∖': '\\setminus ',
  '∈': '\\in ',
  '∉': '\\notin ',
  '∅': '\\emptyset ',
  '⌀': '\\emptyset ',
  '∣': '|',
  '｜': '|',
  '∥': '\\|',
  '→': '\\to ',
  '∀': '\\forall ',
  '∃': '\\exists ',
  '∧': '\\land ',
  '∨': '\\lor ',
  '∠': '\\angle ',
  '△': '\\triangle ',
  '∑': '\\sum ',
  '∏': '\\prod ',
  '∫': '\\int ',
  '∂': '\\partial ',
  '′': "'",
  '″': "''",
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '…': '\\ldots ',
  '⋯': '\\ldots ',
  '°': '^\\circ ',
  º: '^\\circ ',
  度: '^\\circ ',
  '℃': '^\\circ ',
  '％': '%',
  '﹪': '%',
  '（': '(',
  '）': ')',
  '［': '[',
  '］': ']',
  '【': '[',
  '】': ']',
  '｛': '\\{',
  '｝': '\\}',
  '，': ',',
  '،': ',',
  '؛': ';',
  '、': ',',
  '；': ';',
  '：': ':',
  '。': '.',
  '．': '.',
  '！': '!',
  或: ' or ',
  和: ' and ',
  且: ' and ',
  '⌊': '\\lfloor ',
  '⌋': '\\rfloor ',
  '⌈': '\\lceil ',
  '⌉': '\\rceil ',
  '⟨': '\\langle ',
  '⟩': '\\rangle ',
  '½': '\\frac12 ',
  '⅓': '\\frac13 ',
  '⅔': '\\frac23 ',
  '¼': '\\frac14 ',
  '¾': '\\frac34 ',
  '⅕': '\\frac15 ',
  '⅖': '\\frac25 ',
  '⅗': '\\frac35 ',
  '⅘': '\\frac45 ',
  '⅙': '\\frac16 ',
  '⅚': '\\frac56 ',
  '⅛': '\\frac18 ',
  '⅜': '\\frac38 ',
  '⅝': '\\frac58 ',
  '⅞': '\\frac78 ',
  ℝ: '\\mathbb{R}',
  ℤ: '\\mathbb{Z}',
  ℕ: '\\mathbb{N}',
  ℚ: '\\mathbb{Q}',
  ℂ: '\\mathbb{C}',
  '⁺': '^{+}',
  ᵀ: '^{T}',
};

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const GREEK: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...Array.from('αβγδεζηθικλμνξπρστυφχψω', (letter, i) => [letter, i] as const),
    ['ϕ', 20] as const,
    ['ϵ', 4] as const,
  ].map(([letter, i]) => [
    letter,
    `\\${'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega'.split(' ')[i] ?? ''} `,
  ]),
);
const GREEK_CAPITALS: Readonly<Record<string, string>> = {
  Γ: '\\Gamma ',
  Δ: '\\Delta ',
  Θ: '\\Theta ',
  Λ: '\\Lambda ',
  Ξ: '\\Xi ',
  Π: '\\Pi ',
  Σ: '\\Sigma ',
  Φ: '\\Phi ',
  Ψ: '\\Psi ',
  Ω: '\\Omega ',
};

const SCRIPTS = /(?:⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[₀₁₂₃₄₅₆₇₈₉]+)/g;
const OTHER = /\P{ASCII}/gu;
/** Every currency sign but the dollar, which LaTeX has for other things. */
const CURRENCY = /(?!\$)\p{Sc}/gu;
/** Marks for the direction of writing and the like. */
const INVISIBLE = /\p{Cf}/gu;
const END = String.raw`(?=[\s.。]{0,4}(?:$|[,;)}\]$，；）]|\\\)))`;
/** Ohm and micro before the end of an item are units, which their letters in LaTeX need not be. */
const OHM = new RegExp(String.raw`(?<=[\d}][\s~]{0,4})([kMGmµμ]?)[ΩΩ]${END}`, 'gu');
const MICRO = new RegExp(
  String.raw`(?:(?<=[\d}][\s~]{0,4})µ|(?<=[\d}][\s~]{1,4})μ)(A|V|W|m|s|g|F|H|L|l|C|J|mol|Pa|Sv|T)${END}`,
  'gu',
);

/** Rewrites Unicode mathematics and full-width punctuation as LaTeX and ASCII. */
export function mapCharacters(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return foldDigits(text)
    .replace(INVISIBLE, '')
    .replace(OHM, (_, prefix: string) => `\\mathrm{${prefix.replace(/[µμ]/, 'u')}ohm}`)
    .replace(MICRO, '\\mathrm{u$1}')
    .replace(CURRENCY, ' ')
    .replace(SCRIPTS, writeScript)
    .replace(OTHER, (char) => MAP[char] ?? GREEK[char] ?? GREEK_CAPITALS[char] ?? mapWide(char));
}

function writeScript(run: string): string {
  let digits = '';
  for (const char of run) {
    const up = SUPERSCRIPTS.indexOf(char);
    const index = up >= 0 ? up : SUBSCRIPTS.indexOf(char);
    digits += index < 0 ? '-' : String(index);
  }
  return SUBSCRIPTS.includes(run.charAt(0)) ? `_{${digits}}` : `^{${digits}}`;
}

/** Styled mathematical letters, full-width ASCII and the Unicode spaces; any other character stays. */
function mapWide(char: string): string {
  if (/[\u{1d400}-\u{1d7ff}]/u.test(char)) return char.normalize('NFKC');
  const code = char.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  return /\s/.test(char) ? ' ' : char;
}
