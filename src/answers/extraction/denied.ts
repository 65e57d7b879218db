/** Words before a value that deny it, or name it only to set it apart: `not 7`, `rather than 6`. */
const BEFORE = [
  "(?<!whether or )(?:not|never|neither|cannot|can(?:'|’)t|[a-z]{2,8}n(?:'|’)t)",
  'no longer|anything but|nothing like|far from|rather than|instead of|other than|as opposed to|unlike|except(?: for)?|excluding|ruling out|rules? out|different from',
  '(?:thought|believed|supposed|assumed|expected|claimed|said|unlikely|doubted) to be|hardly|doubtful(?:ly)?',
  'nicht|statt|anstatt|anstelle von|außer',
  'no es|no son|no puede|en lugar de|en vez de|y no|excepto',
  "n'est|n’est|ne |pas|au lieu de|plutôt que|sauf",
  'non|invece di|anziché|piuttosto che',
  'não|em vez de|ao invés de',
  'не|вместо|а не|кроме',
  'nie|zamiast|oprócz',
  'niet|in plaats van',
  'không phải|không thể|thay vì|chứ không',
  'bukan|alih-alih|selain',
  'ليس|ليست|وليس|لا|بدلا من|بدلاً من|غير',
  'के बजाय|न कि',
].join('|');
const BEFORE_CJK = '不是|而不是|而非|并非|並非|不等于|不等於|不可能|不为|不為|不应|不應|并不|並不|아닌';
/** Words after a value that deny it: `6ではない`, `6이 아니라`, `6 değil`. */
const AFTER =
  'ではな|ではあり|じゃな|でな(?:い|く)|(?:이|가)?\\s?아니|(?:이|가)?\\s?아닙|değil|नहीं|के बजाय|대신|の代わり|(?:is|are|was|ist|est|es|è|é)\\s(?:not|wrong|incorrect|false|impossible|excluded|falsch|nicht|no|pas|non|não)|不对|不對|是错|不正确|错误';

const DENIED_AFTER = new RegExp(`^[$)\\]}\\s*_\\\\」”"’']{0,6}(?:${AFTER})`, 'iu');
const DENIAL = new RegExp(`(?:(?<![\\p{L}])(?:${BEFORE})(?![\\p{L}])|${BEFORE_CJK})`, 'giu');
/** A denial right before a place, read backwards from there: most places have none, and are done with this. */
const FILLER = '(?:be|equals?|to|the|an?|answer|value|option|即|等于)';
const DENIAL_BEFORE = new RegExp(
  `(?<=(?:(?<!\\p{L})(?:${BEFORE})(?!\\p{L})|${BEFORE_CJK})[\\s$*_(\\[\\\\]*(?:${FILLER}[\\s$*_(\\[\\\\]*){0,4})`,
  'iuy',
);
/** Where the denied part ends and the asserted one begins: `not 6 but 7`. */
const TURN =
  /(?<![\p{L}])(?:but(?: rather)?|it(?:'|’)s|it is|rather(?! than)|sondern|sino|mais|bensì|ma|mas|sim|но|а|lecz|ale|maar|mà là|melainkan|tetapi|بل)(?![\p{L}])|而是|[;；]/giu;

/** A conjunction before a denial: `36 e não 35`. */
const JOINT = /(?<![\p{L}])(?:and|but|e|y|et|und|i|en|и|а|a|ve|dan|và|mas|pero|mais|aber|ma)\s{1,3}$/iu;

/**
 * The statement with everything that it denies blanked out, at the same length. A denied part runs to the word that turns
 * back to what is asserted, or to the end.
 */
export function blankDenied(statement: string): string {
  let result = '';
  let at = 0;
  for (const denial of statement.matchAll(DENIAL)) {
    if (denial.index < at) continue;
    const from =
      denial.index -
      (JOINT.exec(statement.slice(Math.max(at, denial.index - 8), denial.index))?.[0].length ?? 0);
    TURN.lastIndex = denial.index + denial[0].length;
    const turn = TURN.exec(statement);
    const end = turn === null ? statement.length : turn.index + turn[0].length;
    result += statement.slice(at, from) + ' '.repeat(end - from);
    at = end;
  }
  return result + statement.slice(at);
}

/** The length of a denial that follows a value (`6ではなく`); 0 where none does. */
export function denialAfter(rest: string): number {
  return DENIED_AFTER.exec(rest)?.[0].length ?? 0;
}

/** Whether a text ends in a denial, so that what stands next is denied. */
export function endsInDenial(before: string): boolean {
  if (endsPlainly(before)) return false;
  const clause = before.slice(-48);
  DENIAL_BEFORE.lastIndex = clause.length;
  if (!DENIAL_BEFORE.test(clause)) return false;
  for (const denial of clause.matchAll(DENIAL)) {
    const rest = clause.slice(denial.index + denial[0].length);
    if (
      /^[\s$*_([\\]*(?:(?:be|equal(?:s)?|to|the|an?|answer|value|option|即|等于)[\s$*_([\\]*){0,4}$/iu.test(
        rest,
      )
    )
      return true;
  }
  return false;
}

/** Words that no denial ends in and none is followed by; most boxes stand behind one of them, or behind a sign. */
const PLAIN = new Set('is are find get have obtain so thus hence therefore gives yields'.split(' '));

/** Whether what stands last is such a word or a sign, so that no pattern need be tried. */
function endsPlainly(before: string): boolean {
  let end = before.length;
  while (end > 0 && ' \n$*_([\\'.includes(before.charAt(end - 1))) end -= 1;
  if (end > 0 && '=:.,;)'.includes(before.charAt(end - 1))) return true;
  let start = end;
  while (start > 0 && /[a-z]/.test(before.charAt(start - 1))) start -= 1;
  return PLAIN.has(before.slice(start, end)) && /^[ \n$]?$/.test(before.charAt(start - 1));
}
