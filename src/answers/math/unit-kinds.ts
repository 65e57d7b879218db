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
  'lb lbs',
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

/**
 * What a label measures in, `cm2` for `cm^2`, `square centimeter` and the like; null for any label that is not one known unit
 * with its power, which then is not told from another.
 */
export function unitKind(label: string): string | null {
  const [, prefix = '', name = '', power] = LABEL.exec(label.toLowerCase()) ?? [];
  const unit = NAMES.get(name);
  return unit === undefined ? null : unit + (power ?? POWERS[prefix] ?? '1');
}
