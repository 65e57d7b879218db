/**
 * Whether a value read from JSON or YAML holds more than so many keys and entries. It looks at no more than that, so that
 * it ends soon for any input, also for one that contains itself.
 */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (++seen > limit) return true;
      const inner = (next as Record<string, unknown>)[key];
      if (typeof inner === 'object') open.push(inner);
    }
  }
  return false;
}
