const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Shorter runs may be words or numbers. */
const DIGEST = /[0-9a-f]{12,}/gi;
const LONGEST = 200;

/**
 * What ids of one making have in common: numbers and digests are all alike, so that `math-17` and `math-2` have one shape,
 * and `17` has another.
 */
function idShape(promptId: string): string {
  return promptId
    .slice(0, LONGEST)
    .replace(UUID, '#')
    .replace(DIGEST, (run) => (/\d/.test(run) && /[a-f]/i.test(run) ? '#' : run))
    .replace(/\p{Nd}+/gu, '0');
}

/** Whether two lists of ids look as if they were made in one way. */
export function lookAlike(one: readonly string[], other: readonly string[]): boolean {
  const shapes = new Set(one.map(idShape));
  if (other.some((id) => shapes.has(idShape(id)))) return true;
  // Where no two ids of a list have one shape, as words or random letters, their lengths are all there is to go by.
  return isMotley(one) && isMotley(other) && Math.abs(meanLength(one) - meanLength(other)) < 1;
}

/** The ids say nothing of their place in a data set, being made from the text of the prompt. */
export function areDigests(ids: readonly string[]): boolean {
  return ids.length > 0 && ids.every((id) => idShape(id).includes('#'));
}

function isMotley(ids: readonly string[]): boolean {
  return ids.length > 2 && new Set(ids.map(idShape)).size > ids.length / 2;
}

function meanLength(ids: readonly string[]): number {
  return ids.reduce((sum, id) => sum + id.length, 0) / ids.length;
}
