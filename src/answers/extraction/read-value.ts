import type { Span } from './span.ts';

/** The names of functions and constants that stand in a formula without a backslash. */
const NAMES =
  'arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|pi|mod|gcd|lcm|max|min|inf|infinity';
/** A part of a formula that is written without delimiters; letters only where no word goes on. */
const ATOM = new RegExp(
  [
    '\\\\(?:[A-Za-z]+|[^A-Za-z\\s])',
    '\\p{Nd}+(?:[.,٫٬]\\p{Nd}+)*(?:[eE][-+]?\\d{1,4}(?![\\p{L}\\d]))?',
    '\\.\\d+',
    '[$€£¥₹₩](?=\\s?[-−]?\\p{Nd})|(?<=\\p{Nd}\\s?)[€£¥₹₩$%]',
    '(?<=\\p{Nd}):(?=\\p{Nd})|(?<=\\p{Nd}\\s):(?=\\s\\p{Nd})',
    '[-−–+*/^=<>≤≥≠≈×·÷±%°!|_√∞π∪∩∈′{}()[\\]]',
    `(?:${NAMES})(?!\\p{L})`,
    '(?<!\\p{L})[A-Za-zα-ωΑ-Ω]{1,3}(?=\\s?(?:[=(]|_|\\^))',
    "(?<!\\p{L})[A-Za-zα-ωΑ-Ω](?![\\p{L}’'])(?!\\s\\p{L}{2})",
    "(?<=[\\p{Nd})}π])[A-Za-z]{1,3}(?![\\p{L}’'])",
  ].join('|'),
  'uy',
);
const SPACE = /\s*/y;
const MAX_ATOMS = 200;
const MAX_VALUE = 600;
/** What a formula cannot end in. */
const DANGLING = /(?:[-−–+*/^=<>≤≥≠≈×·÷±_({[|:]|\\[,;:! ]|\s)+$/u;
/** A plain letter is a value, a pronoun or an article is none. */
const VALUE = /[\p{Nd}\\√∞π]|^[A-Zb-z]$|[A-Za-z)]\s?[-+*/^=<>≤≥]\s?[A-Za-z(]/u;

/** The words that open another clause, so that none of them is a unit. */
const NO_UNIT =
  'and|or|but|nor|not|rather|instead|because|since|as|so|for|of|out|after|before|in|on|at|to|when|while|if|where|which|who|that|this|these|those|then|thus|hence|therefore|with|without|from|by|is|are|was|were|be|will|would|can|has|have|had|equals|gives|each|both|using|assuming|given|based|due|considering|considered|although|though|i|we|it|they|he|she|you|the|a|an|only|exactly|there|here|again|also|plus|minus|times|than|more|less|fewer|too|over|under|between|among|during|within|into|through|until|per cent of';
const UNIT = new RegExp(
  `(?:\\s|(?<=[\\d%])-)?(?!(?:${NO_UNIT})(?![A-Za-z]))[A-Za-z]{1,20}\\.?(?:\\^?\\d|[²³])?(?:/[A-Za-z]{1,8}(?:\\^?\\d|[²³])?)?(?![\\p{L}\\d])`,
  'iuy',
);
const MAX_UNITS = 4;
/** Magnitudes are part of the number in every language. */
const MAGNITUDE =
  /\s?(?:[十百千万萬億亿兆만억천]|milli?[oóa]\w{0,6}|milj\w{2,8}|mili\w{2,8}|milyon|milyar|billi\w{2,6}|tausend|mille?|mila|thousand|bin|nghìn|ngàn|triệu|tỷ|ribu|juta|duizend|tysi\p{L}{1,4}|тысяч\p{L}?|тыс|миллион\p{L}{0,3}|миллиард\p{L}{0,3}|млн|млрд|हज़ार|हजार|लाख|करोड़|ألف|آلاف|مليون|مليار)(?![A-Za-z])/iuy;

/**
 * The formula or number that starts at a place of a text and stands there without delimiters, with its unit where
 * `units` says that words after it are one: `x = 5`, `3 + 4 = 7`, `\frac{1}{2}`, `12 cm`, `2 feet 5 inches`.
 */
export function readValue(text: string, at: number, units: boolean): Span | null {
  const end = formulaEnd(text, at);
  let to = trimmed(text, at, end);
  if (to <= at || !VALUE.test(text.slice(at, to))) return null;
  const unitEnd = units ? unitsEnd(text, to) : to;
  if (unitEnd > to) {
    const next = /^\s/.test(text.slice(unitEnd)) ? skipSpace(text, unitEnd) : -1;
    const more = next > 0 && /^\p{Nd}/u.test(text.charAt(next)) ? readValue(text, next, units) : null;
    to = more?.end ?? unitEnd;
  } else {
    if (/\p{Nd}$/u.test(text.slice(at, to))) to = magnitudeEnd(text, to);
  }
  return { start: at, end: to };
}

/** Where the word of magnitude ends that stands at a place, as in `5 million`; the place itself where there is none. */
export function magnitudeEnd(text: string, at: number): number {
  MAGNITUDE.lastIndex = at;
  return MAGNITUDE.test(text) ? MAGNITUDE.lastIndex : at;
}

function formulaEnd(text: string, from: number): number {
  let at = from;
  let depth = 0;
  for (let atoms = 0; atoms < MAX_ATOMS && at - from < MAX_VALUE; atoms += 1) {
    const next = skipSpace(text, at);
    ATOM.lastIndex = next;
    let end = ATOM.test(text) ? ATOM.lastIndex : next + 1;
    const char = text.charAt(end - 1);
    // A comma inside brackets is part of a pair or a set.
    if (ATOM.lastIndex === 0 && (depth <= 0 || !/[,;]/.test(char))) break;
    if (/[([{]/.test(char)) depth += 1;
    else if (/[)\]}]/.test(char)) depth -= 1;
    if (char === '{' && text.charAt(end - 2) !== '\\') {
      end = groupEnd(text, end);
      depth -= 1;
    }
    // `5 (since …)`: after a space a bracket opens a remark, unless it can only be a formula.
    if (
      text.charAt(next) === '(' &&
      next > at &&
      /[\p{Nd}%]/u.test(text.charAt(at - 1)) &&
      !/^\(\s?(?:\\?p?mod|[-−+\p{Nd}a-z]{1,8}\s?[-+)])/u.test(text.slice(next, next + 14))
    )
      break;
    at = end;
  }
  return at;
}

function groupEnd(text: string, from: number): number {
  let depth = 1;
  const limit = Math.min(text.length, from + MAX_VALUE);
  for (let at = from; at < limit; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at += 1;
    else if (char === 0x7b) depth += 1;
    else if (char === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return from;
}

/** Without what opens more than the text holds: operators, brackets without partner. */
function trimmed(text: string, from: number, end: number): number {
  const open: number[] = [];
  let to = end;
  for (let at = from; at < to; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '(' || char === '[' || char === '{') open.push(at);
    else if ((char === ')' || char === ']' || char === '}') && open.pop() === undefined) to = at;
  }
  const [first] = open;
  if (first !== undefined) to = Math.min(to, first);
  return from + text.slice(from, to).replace(DANGLING, '').length;
}

function unitsEnd(text: string, from: number): number {
  let at = from;
  for (let words = 0; words < MAX_UNITS; words += 1) {
    UNIT.lastIndex = at;
    if (!UNIT.test(text)) break;
    at = UNIT.lastIndex;
  }
  return text.charAt(at - 1) === '.' && at > from ? at - 1 : at;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}
