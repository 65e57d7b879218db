const POWER = String.raw`(?:\^(?:\{\s?-?[1-4]\s?\}|-?[1-4]))?`;
const JOIN = String.raw`\s?(?:\/|\\cdot(?![a-zA-Z])|\\times(?![a-zA-Z])|\*|\\[,;: ]|~|(?<=\s))\s?`;
/** Symbols that are no likely product of variables. */
const LONG =
  '(?:mm|cm|dm|km|nm|um|ft|yd|kg|lb|oz|mL|cL|dL|kL|kJ|MJ|kW|MW|GW|kWh|Wh|kN|MN|kV|mV|MV|mA|kA|kPa|MPa|GPa|hPa|Pa|kHz|MHz|GHz|Hz|' +
  'mol|kcal|cal|kmol|mmol|eV|keV|MeV|GeV|min|sec|hr|mi|mg|ml|ms|ns|Nm|Ah|mAh|kg)(?![a-zA-Z])';
const SHORT = '(?:[mshgKLNJWVACl])(?![a-zA-Z])';
const ANY = `(?:${LONG}|${SHORT})`;

/** A unit with a symbol of several letters in front: `cm^2`, `kg/m^3`, `kWh`. */
const LONG_UNIT = new RegExp(`${LONG}${POWER}(?:${JOIN}${ANY}${POWER})*`, 'y');
/** Symbols of one letter are variables but for these: squares and cubes of the metre, and the usual derived units. */
const SHORT_UNIT = new RegExp(
  String.raw`(?:m|in)\^(?:\{\s?[23]\s?\}|[23])(?![a-zA-Z])(?:\s?\/\s?(?:s|h|min|kg)(?![a-zA-Z]))?|` +
    String.raw`[JW]\s?\/\s?\(\s?(?:mol|kg|g|m)${POWER}\s?(?:\\cdot|\*|\s)\s?K\s?\)|` +
    String.raw`(?:m\s?\/\s?(?:s|h|min|sec)|[NW]\s?\/\s?(?:m|cm)|N\s?\/\s?C|V\s?\/\s?m|J\s?\/\s?(?:K|g|kg|s|m|mol|C)|` +
    String.raw`[Cg]\s?\/\s?(?:s|m|cm|L|mL|ml|mol)|[Ll]\s?\/\s?(?:s|h|min)|K\s?\/\s?(?:s|m)|A\s?\/\s?m|W\s?\/\s?K)(?![a-zA-Z])${POWER}|` +
    String.raw`(?:N|J|A|W|V|C)\s?(?:\\cdot|\\times|\*)\s?(?:m|s|h|A|cm|mm)(?![a-zA-Z])${POWER}|` +
    String.raw`m\s?(?:\\[,;: ]|~|\s|\\cdot|\*)\s?s\^(?:\{\s?-[12]\s?\}|-[12])`,
  'y',
);

/** What is as likely a product of variables as a unit: `mg`, and spaced `mg^2`. */
const PRODUCT = /^(?:m[AVgls]|ns|mi(?!n)|Nm|Ah|kg$)/;
const PRODUCT_POWER = /^(?:m[AVgls]|ns|Nm|Ah)\^/;

/**
 * Where a unit in plain letters that starts at `at` ends, or -1. `spaced` says that white space stands before it: without, only
 * lengths to a power and symbols that are no product stand (`20cm^2`), and `5m^2` is algebra.
 */
export function unitEnd(text: string, at: number, spaced: boolean): number {
  LONG_UNIT.lastIndex = at;
  const long = LONG_UNIT.exec(text);
  if (long !== null && !(spaced ? PRODUCT_POWER : PRODUCT).test(long[0])) return at + long[0].length;
  if (!spaced) return -1;
  SHORT_UNIT.lastIndex = at;
  const short = SHORT_UNIT.exec(text);
  return short === null ? -1 : at + short[0].length;
}
