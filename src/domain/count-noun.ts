/** A count with its noun for a sentence: `1 prompt`, `3 prompts`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
