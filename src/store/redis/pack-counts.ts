import {
  AGENT_COUNTER_NAMES,
  AGENT_COUNTERS,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  PAIR_COUNTER_NAMES,
  PAIR_COUNTERS,
} from '../../domain/diagnostics/counters.ts';
import type { Increment } from '../../domain/diagnostics/tally.ts';
import { UnreadableValueError } from './checked-list.ts';

const LETTERS = { sum: 's', min: 'l', max: 'h' } as const;
const AGENT_KINDS = lettersOf(AGENT_COUNTERS);
const PAIR_KINDS = lettersOf(PAIR_COUNTERS);

/** How the numbers of {@link packCounts} merge, one letter each. */
export function kindsOf({ kind }: Increment): string {
  return kind === 'agent' ? AGENT_KINDS : PAIR_KINDS;
}

/** The counts as numbers in the order of their table; '-' stands for an extreme of nothing. */
export function packCounts(increment: Increment): string {
  return increment.kind === 'agent'
    ? pack(NO_AGENT_COUNTS, AGENT_COUNTER_NAMES, increment.counts)
    : pack(NO_PAIR_COUNTS, PAIR_COUNTER_NAMES, increment.counts);
}

/** What a step holds: a line for each scope. Throws UnreadableValueError. */
export function readRecords(text: string): readonly Increment[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Increment => {
      const [scope = '', packed = ''] = line.split('\t');
      const [first = '', second] = scope.split(' ');
      const numbers = packed.split(' ');
      return second === undefined
        ? { kind: 'agent', agent: first, counts: unpack(NO_AGENT_COUNTS, AGENT_COUNTER_NAMES, numbers) }
        : { kind: 'pair', first, second, counts: unpack(NO_PAIR_COUNTS, PAIR_COUNTER_NAMES, numbers) };
    });
}

function pack<Name extends string>(
  start: Readonly<Record<Name, number>>,
  names: readonly Name[],
  counts: Partial<Readonly<Record<Name, number>>>,
): string {
  return names
    .map((name) => counts[name] ?? start[name])
    .map((count) => (Number.isFinite(count) ? String(count) : '-'))
    .join(' ');
}

function unpack<Name extends string>(
  start: Readonly<Record<Name, number>>,
  names: readonly Name[],
  numbers: readonly string[],
): Readonly<Record<Name, number>> {
  // One that an earlier version wrote lacks the counters that came since, which stand last.
  if (numbers.length > names.length) throw new UnreadableValueError('a record has other counters');
  const counts: Record<Name, number> = { ...start };
  for (const [at, name] of names.entries()) {
    const text = numbers[at];
    if (text !== undefined && text !== '-') counts[name] = Number(text);
  }
  return counts;
}

function lettersOf(counters: Readonly<Record<string, keyof typeof LETTERS>>): string {
  return Object.values(counters)
    .map((kind) => LETTERS[kind])
    .join('');
}
