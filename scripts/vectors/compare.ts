/** Rewards and metrics agree when they differ by no more. */
const TOLERANCE = 1e-9;

/** Where `got` lacks or contradicts a part of `expected`, as `a.b[1]: 2 instead of 3`; null when it has all of it. */
export function findDifference(got: unknown, expected: unknown, path = ''): string | null {
  if (typeof expected === 'number' && typeof got === 'number') {
    return Math.abs(got - expected) <= TOLERANCE ? null : told(path, got, expected);
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(got, expected) ? null : told(path, got, expected);
  }
  if (typeof got !== 'object' || got === null) return told(path, got, expected);
  if (Array.isArray(expected) && Array.isArray(got) && got.length !== expected.length) {
    return told(`${path}.length`, got.length, expected.length);
  }
  for (const [key, value] of Object.entries(expected)) {
    const at = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    const difference = findDifference(Reflect.get(got, key), value, at);
    if (difference !== null) return difference;
  }
  return null;
}

function told(path: string, got: unknown, expected: unknown): string {
  return `${path.replace(/^\./, '')}: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`;
}
