/** Units by which a question says what its answer is counted in, with the words for each. */
const UNITS: Readonly<Record<string, string>> = {
  seconds: 'seconds?|secs?',
  minutes: 'minutes?|mins?',
  hours: 'hours?|hrs?',
  days: 'days?',
  weeks: 'weeks?',
  months: 'months?',
  years: 'years?',
  cents: 'cents?|pennies',
  dollars: 'dollars?|\\$|usd',
  euros: 'euros?|€',
  pounds: 'pounds?|lbs?|£',
  ounces: 'ounces?|oz',
  kilograms: 'kilograms?|kg|kilos?',
  grams: 'grams?',
  miles: 'miles?',
  kilometers: 'kilomet(?:er|re)s?|km',
  centimeters: 'centimet(?:er|re)s?|cm',
  millimeters: 'millimet(?:er|re)s?|mm',
  meters: 'met(?:er|re)s?',
  feet: 'feet|foot|ft',
  inches: 'inch(?:es)?',
  yards: 'yards?',
  gallons: 'gallons?',
  liters: 'lit(?:er|re)s?',
  degrees: 'degrees?',
  radians: 'radians?',
  dozens: 'dozens?',
};

/** What else a question may ask for; each must stay, and none may come. */
const ASPECTS: Readonly<Record<string, RegExp>> = {
  'a percentage': /\bper ?cent(?:age|s)?\b|%/,
  'a probability': /\bprobabilit|\bchances?\b|\blikelihood|\bhow likely|\bodds\b/,
  'an average': /\baverages?\b|\bmean\b|\bon average\b/,
  'a ratio': /\bratios?\b/,
  'a fraction': /\bfractions?\b|\bwhat (?:part|portion|share) of\b/,
  'a difference':
    /\bdifference\b|\bhow (?:many|much) (?:\w+ ){0,2}?(?:more|fewer|less)\b|\bhow much (?:longer|taller|older|heavier|farther|faster|cheaper)\b/,
  'the smallest': /\b(?:minimum|minimal|least|smallest|fewest|lowest|shortest|minimi[sz]e)\b/,
  'the largest': /\b(?:maximum|maximal|most|largest|greatest|highest|biggest|longest|maximi[sz]e)\b/,
  'what is left': /\bleft\b|\bleftover|\bremain|\bstill (?:have|has|need|owe)/,
  'a remainder': /\bremainder\b|\bmod(?:ulo)?\b/,
  'an area': /\bareas?\b|\bsquare (?:feet|foot|inch|met|mile|yard|cent|kilo|unit)/,
  'a perimeter': /\bperimeters?\b|\bcircumferences?\b/,
  'a volume': /\bvolumes?\b|\bcubic\b/,
  'a speed': /\bspeed\b|\bhow fast\b|\b(?:miles|kilomet(?:er|re)s|km|met(?:er|re)s) per\b|\bmph\b/,
  'an age': /\bhow old\b|\bage\b/,
  'a product': /\bproduct of\b/,
  'a sum': /\bsum of\b/,
};

const UNIT_WORDS = new RegExp(
  Object.entries(UNITS)
    .map(([name, words]) => `(?<${name}>${words})`)
    .join('|'),
);
/** The places where a question names the unit of its answer. */
const ASKED_UNIT = new RegExp(
  `(?:\\b(?:how many|number of|amount of)(?: [a-z]+){0,2}?|\\b(?:how|what)\\b[^.?!]*? in(?: total)?(?: the)?|\\bin) (?:${UNIT_WORDS.source})(?![a-z])`,
  'g',
);
const IMPERATIVE =
  /^(?:please )?(?:find|compute|calculate|determine|evaluate|solve|simplify|express|give|state|what|which|how|if so)\b/;

/**
 * What a problem asks for, as far as its words tell: units, and kinds such as `a percentage` or `what is left`. Read from
 * the sentences that ask; English. Sorted.
 */
export function askedQuantity(text: string): readonly string[] {
  const asking = questionOf(text);
  const found = new Set<string>();
  for (const [aspect, pattern] of Object.entries(ASPECTS)) if (pattern.test(asking)) found.add(aspect);
  for (const { groups } of asking.matchAll(ASKED_UNIT)) {
    for (const [unit, word] of Object.entries(groups ?? {})) if (word !== undefined) found.add(unit);
  }
  return [...found].sort();
}

/** The sentences that end in a question mark; else those that tell to do something; else the last one. */
function questionOf(text: string): string {
  const sentences = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[?!]|\.(?!\d))\s/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const questions = sentences.filter((sentence) => sentence.endsWith('?'));
  if (questions.length > 0) return questions.join(' ');
  const told = sentences.filter((sentence) => IMPERATIVE.test(sentence));
  return told.length > 0 ? told.join(' ') : (sentences.at(-1) ?? '');
}
