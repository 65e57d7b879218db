/** Decimal digits of one UTF-16 unit beyond ASCII, and the separators and percent sign of Arabic. */
const FOREIGN = /[\u066a-\u066c]|(?![\0-\x7f])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;
const SIGNS: Readonly<Record<string, string>> = { '٪': '%', '٫': '.', '٬': ',' };

/** Writes the decimal digits of every script as those of ASCII, unit for unit, so that positions stay as they are. */
export function foldDigits(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text.replace(FOREIGN, (char) => (char.length > 1 ? char : (SIGNS[char] ?? digitValue(char))));
}

/** Unicode has digits in runs of ten that begin with zero. */
function digitValue(char: string): string {
  const code = char.charCodeAt(0);
  let zero = code;
  while (DIGIT.test(String.fromCharCode(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
