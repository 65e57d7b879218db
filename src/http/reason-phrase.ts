const LONGEST = 200;

/** Protocols whose clients log the status line of an error and nothing of its body. */
const READS_REASON = /^\/(?:openrlhf|slime)\//;

export function readsReason(url: string): boolean {
  return READS_REASON.test(url);
}

/** A sentence as it may stand in a status line: one line of printable ASCII, at most 200 characters. */
export function toReasonPhrase(sentence: string): string {
  const plain = sentence
    .slice(0, 4 * LONGEST)
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .replace(/[^ -~]/g, '?');
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 3)}...`;
}
