import { z } from 'zod';

/** Faults named of one request; whoever sent more has the same fault over and over. */
export const MOST_ISSUES = 20;

interface BoundedListDef extends z.core.$ZodArrayDef {
  readonly most: number;
}

/**
 * A list that is given up after so many faults: zod collects one of every entry, and a body of zeros in place of objects
 * would hold the process for a minute, or kill it. A list that is too long is not read at all.
 */
const BoundedList = z.core.$constructor<z.ZodArray, BoundedListDef>('BoundedList', (inst, def) => {
  z.ZodArray.init(inst, def);
  const parse = inst._zod.parse;
  const { element, most } = def;
  inst._zod.parse = (payload, context) => {
    const { value } = payload;
    if (!Array.isArray(value) || value.length > most) return parse(payload, context);
    const read: unknown[] = new Array(value.length);
    payload.value = read;
    for (let at = 0; at < value.length && payload.issues.length < MOST_ISSUES; at++) {
      const result = element._zod.run({ value: value[at], issues: [] }, context);
      // None of our schemas waits for anything.
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(at, result.issues));
      read[at] = result.value;
    }
    return payload;
  };
});

/** A list from a caller: at least `min` and at most `max` entries. Every list that a request may hold is one. */
export function boundedList<T extends z.ZodType>(
  element: T,
  { min = 0, max }: { min?: number; max: number },
) {
  const list = new BoundedList({ type: 'array', element, most: max }) as unknown as z.ZodArray<T>;
  return min === 0 ? list.max(max) : list.min(min).max(max);
}
