const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const HAS_MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;
const DATE_LIKE =
  /\d([-/.])\d{1,2}\1\d|[-/]0\d|0\d[-/]|[月월]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;
const SILENT = /^(?:|the|of|on|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/;
const NUMERIC = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})$/;
const MONTH_OF_YEAR = /^(?:(\d{4})[-/](0\d)|(0\d)[-/](\d{4}))$/;
const EASTERN = /^(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MAX_LENGTH = 48;

/** Whether a text can hold a date at all, at the cost of one look. */
export function mayBeDate(text: string): boolean {
  return DATE_LIKE.test(text);
}

/** A name for the calendar day that a text consists of: the same for every unambiguous spelling. Null for anything else. */
export function readDate(text: string): string | null {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return null;
  const numeric = NUMERIC.exec(text);
  if (numeric !== null)
    return readNumeric(numeric[1] ?? '', numeric[2] ?? '', numeric[3] ?? '', numeric[4] ?? '');
  const month = MONTH_OF_YEAR.exec(text);
  if (month !== null) return name(month[1] ?? month[4] ?? '', month[2] ?? month[3] ?? '', null);
  const eastern = EASTERN.exec(text);
  if (eastern !== null) return name(eastern[1] ?? null, eastern[2] ?? '', eastern[3] ?? '');
  return HAS_MONTH.test(text) ? readWords(text) : null;
}

/** Year first, or year last; where day and month could change places the date stays as it is spelled. */
function readNumeric(first: string, mark: string, middle: string, last: string): string | null {
  const padded = [first, middle, last].some((part) => /^0\d$/.test(part));
  if (isYear(first) && last.length <= 2)
    return name(first, middle, last) ?? spelled(padded, first, middle, last);
  if (first.length > 2) return null;
  if (isYear(last)) {
    const dayFirst = name(last, middle, first);
    const monthFirst = name(last, first, middle);
    if (mark === '.') return dayFirst;
    if (dayFirst === null || monthFirst === null || dayFirst === monthFirst)
      return dayFirst ?? monthFirst ?? spelled(padded, first, middle, last);
    return spelled(true, first, middle, last);
  }
  const plausible = name(null, middle, first) !== null || name(null, first, middle) !== null;
  const short = last.length === 2 && plausible && (mark === '/' || (mark === '-' && padded));
  return spelled(short, first, middle, last);
}

function spelled(isDate: boolean, ...parts: string[]): string | null {
  return isDate ? parts.map((part) => String(Number(part)).padStart(2, '0')).join('/') : null;
}

/** `April 5, 2023`, `5th of April`, `April 2023`. */
function readWords(text: string): string | null {
  const words = text
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter((word) => !SILENT.test(word));
  const months = words.filter((word) => MONTH.test(word));
  const years = words.filter(isYear);
  const days = words.filter((word) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word));
  const known = months.length === 1 && years.length <= 1 && days.length <= 1;
  if (!known || words.length < 2 || months.length + years.length + days.length !== words.length) return null;
  const month = MONTHS.indexOf((months[0] ?? '').slice(0, 3)) + 1;
  return name(years[0] ?? null, String(month), days[0]?.replace(/\D+/, '') ?? null);
}

function isYear(text: string): boolean {
  return /^[12]\d{3}$/.test(text);
}

/** `2023-04-05`, with `*` for what is not said; null where there is no such day. */
function name(year: string | null, month: string, day: string | null): string | null {
  const days = DAYS[Number(month) - 1];
  if (days === undefined || (day !== null && (Number(day) < 1 || Number(day) > days))) return null;
  return [year ?? '*', month.padStart(2, '0'), day?.padStart(2, '0') ?? '*'].join('-');
}
