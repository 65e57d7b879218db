/** Functions by every spelling, to one name. */
const FUNCTION_SPELLINGS: Readonly<Record<string, string>> = {
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  tg: 'tan',
  cot: 'cot',
  ctg: 'cot',
  cotg: 'cot',
  sec: 'sec',
  csc: 'csc',
  cosec: 'csc',
  sinh: 'sinh',
  cosh: 'cosh',
  tanh: 'tanh',
  coth: 'coth',
  sech: 'sech',
  csch: 'csch',
  arcsin: 'asin',
  arccos: 'acos',
  arctan: 'atan',
  arctg: 'atan',
  arccot: 'acot',
  arcsec: 'asec',
  arccsc: 'acsc',
  asin: 'asin',
  acos: 'acos',
  atan: 'atan',
  asinh: 'asinh',
  acosh: 'acosh',
  atanh: 'atanh',
  arcsinh: 'asinh',
  arccosh: 'acosh',
  arctanh: 'atanh',
  arsinh: 'asinh',
  arcosh: 'acosh',
  artanh: 'atanh',
  ln: 'ln',
  log: 'log',
  lg: 'log',
  exp: 'exp',
  sqrt: 'sqrt',
  cbrt: 'cbrt',
  abs: 'abs',
  floor: 'floor',
  ceil: 'ceil',
  max: 'max',
  min: 'min',
  gcd: 'gcd',
  lcm: 'lcm',
  sgn: 'sgn',
  sign: 'sgn',
  det: 'det',
  dim: 'dim',
  ker: 'ker',
  arg: 'arg',
  Re: 'Re',
  Im: 'Im',
  Var: 'Var',
  Pr: 'Pr',
  erf: 'erf',
};

const GREEK_NAMES = new Set(
  (
    'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho ' +
    'sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ' +
    'ell hbar partial nabla aleph imath jmath wp'
  ).split(' '),
);

/** Greek spellings that stand for the same letter. */
const SAME_LETTER: Readonly<Record<string, string>> = {
  varepsilon: 'epsilon',
  vartheta: 'theta',
  varphi: 'phi',
  varrho: 'rho',
  imath: 'i',
  jmath: 'j',
};

const PERCENT_WORDS = new Set(['percent', 'pct', 'percentage']);

/** The canonical function name of a spelling, or null. */
export function functionName(spelling: string): string | null {
  return Object.hasOwn(FUNCTION_SPELLINGS, spelling) ? (FUNCTION_SPELLINGS[spelling] ?? null) : null;
}

/** The canonical name of a Greek or other letter-like command (without its backslash), or null. */
export function letterName(spelling: string): string | null {
  if (!GREEK_NAMES.has(spelling)) return null;
  return Object.hasOwn(SAME_LETTER, spelling) ? (SAME_LETTER[spelling] ?? spelling) : spelling;
}

export function isPercentWord(run: string): boolean {
  return PERCENT_WORDS.has(run.toLowerCase());
}

/** Powers of ten and the like that follow a number in words. */
const MAGNITUDES: Readonly<Record<string, string>> = {
  dozen: '12',
  hundred: '100',
  thousand: '1000',
  million: '1e6',
  billion: '1e9',
  trillion: '1e12',
};

/** The literal of a word such as `million`, or null. */
export function magnitudeWord(word: string): string | null {
  return Object.hasOwn(MAGNITUDES, word) ? (MAGNITUDES[word] ?? null) : null;
}

/**
 * Whether a run of letters reads as a word rather than as a product of variables: `odd` does, `xyz` and
 * `abc` do not.
 */
export function isWordLike(run: string): boolean {
  if (run.length < 3) return false;
  if (run.length >= 6) return true;
  if (!/[aeiou]/i.test(run)) return run.length === 5 && /y/i.test(run);
  for (let i = 1; i < run.length; i += 1) {
    if (run.charCodeAt(i) !== run.charCodeAt(i - 1) + 1) return true;
  }
  return false;
}
