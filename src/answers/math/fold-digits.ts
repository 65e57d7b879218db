/** Where the decimal digits of a script begin, in hexadecimal: all runs of ten of the basic plane but that of ASCII. */
const ZEROS = (
  '0660 06f0 07c0 0966 09e6 0a66 0ae6 0b66 0be6 0c66 0ce6 0d66 0de6 0e50 0ed0 0f20 1040 1090 17e0 1810 ' +
  '1946 19d0 1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 ff10'
)
  .split(' ')
  .map((code) => Number.parseInt(code, 16));

const DIGITS = new Map(
  ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, i) => [String.fromCharCode(zero + i), String(i)] as const),
  ),
);
/** The percent sign and the separators of Arabic. */
const SIGNS: Readonly<Record<string, string>> = { '٪': '%', '٫': '.', '٬': ',' };
const FOREIGN = new RegExp(
  `[${ZEROS.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}٪-٬]`,
  'g',
);

/** Writes the decimal digits of every script as those of ASCII, unit for unit, so that positions stay as they are. */
export function foldDigits(text: string): string {
  return text.replace(FOREIGN, (char) => DIGITS.get(char) ?? SIGNS[char] ?? char);
}
