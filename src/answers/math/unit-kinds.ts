/** Units that are told apart, one a line with all its names as labels have them (see label.ts). Others stand for each other. */
const UNITS: readonly string[] = [
  'mm millimeter millimetre',
  'cm centimeter centimetre',
  'dm decimeter decimetre',
  'm meter metre',
  'km kilometer kilometre',
  'inch',
  'ft foot',
  'yd yard',
  'mi mile',
  'mg milligram',
  'g gram gramme',
  'kg kilogram kilo',
  'lb lbs pound',
  'oz ounce',
  'ml milliliter millilitre',
  'cl',
  'l liter litre',
  'ms millisecond',
  's sec secs second',
  'min mins minute',
  'h hr hrs hour',
  'day',
  'week',
  'month',
  'year',
  'dollar usd',
  'cent',
  'eur euro',
  'kj kilojoule',
  'joule',
  'watt w',
  'kw kilowatt',
];
const POWERS: Readonly<Record<string, string>> = { square: '2', sq: '2', cubic: '3', cu: '3' };
const NAMES: ReadonlyMap<string, string> = new Map(
  UNITS.flatMap((line) => line.split(' ').map((name, _, [first = '']) => [name, first] as const)),
);
const LABEL = /^(square|sq|cubic|cu)?([a-z]+?)(?:(?:\^|\*\*)?([1-9]))?$/;

/** Rates that are written in one word. */
const RATES: ReadonlyMap<string, string> = new Map([
  ['mph', 'mi1/h1'],
  ['kph', 'km1/h1'],
  ['kmph', 'km1/h1'],
  ['kmh', 'km1/h1'],
  ['fps', 'ft1/s1'],
]);
const MAX_FACTORS = 3;

/** Stands for a factor that is no known unit. */
const ANY = '*';

/**
 * What a label measures in, `cm2` for `cm^2`, `square centimeter` and the like, `mi1/h1` for `miles per hour`, `*` with `/min1` for
 * `beats per minute`; null for a label in which no unit is known, which then is not told from another.
 */
export function unitKind(label: string): string | null {
  const lower = label.toLowerCase();
  const rate = RATES.get(lower);
  if (rate !== undefined) return rate;
  const factors = lower.split(/per|\//, MAX_FACTORS + 1);
  const kinds = factors.map(singleKind);
  const unknown = factors.length > MAX_FACTORS || factors.includes('') || kinds.every((kind) => kind === ANY);
  return unknown ? null : kinds.join('/');
}

/** Whether two kinds measure otherwise: in other units, powers, or one of them a rate. */
export function unitsDiffer(a: string, b: string): boolean {
  if (a === b) return false;
  const [left, right] = [a.split('/'), b.split('/')];
  if (left.length !== right.length) return true;
  return left.some((kind, at) => kind !== ANY && right[at] !== ANY && kind !== right[at]);
}

function singleKind(label: string): string {
  const [, prefix = '', name = '', power] = LABEL.exec(label) ?? [];
  const unit = NAMES.get(name);
  return unit === undefined ? ANY : unit + (power ?? POWERS[prefix] ?? '1');
}
