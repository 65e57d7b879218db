/** A prompt id in quotation marks, shortened where it is long. */
export function quote(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
}

/** The first three of them. */
export function quoteSome(texts: Iterable<string>): string {
  return [...new Set(texts)].slice(0, 3).map(quote).join(', ');
}

export function formatAge(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A share of 0 to 1 in whole percent. */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
