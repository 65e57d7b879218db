import { AGENT_COUNTERS, PAIR_COUNTERS } from '../../domain/diagnostics/counters.ts';
import type { Increment } from '../../domain/diagnostics/tally.ts';
import { UnreadableValueError } from './checked-list.ts';

const AGENT_NAMES = Object.keys(AGENT_COUNTERS);
const PAIR_NAMES = Object.keys(PAIR_COUNTERS);
const LETTERS = { sum: 's', min: 'l', max: 'h' } as const;
const AGENT_KINDS = lettersOf(AGENT_COUNTERS);
const PAIR_KINDS = lettersOf(PAIR_COUNTERS);

/** How the numbers of {@link packCounts} merge, one letter each. */
export function kindsOf({ kind }: Increment): string {
  return kind === 'agent' ? AGENT_KINDS : PAIR_KINDS;
}

/** The counts as numbers in the order of their table; '-' stands for an extreme of nothing. */
export function packCounts(increment: Increment): string {
  const numbers =
    increment.kind === 'agent'
      ? ordered(AGENT_NAMES, increment.counts)
      : ordered(PAIR_NAMES, increment.counts);
  return numbers.map((number) => (Number.isFinite(number) ? String(number) : '-')).join(' ');
}

/** What a step holds: a line for each scope. Throws UnreadableValueError. */
export function readRecords(text: string): readonly Increment[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [scope = '', packed = ''] = line.split('\t');
      const [first = '', second] = scope.split(' ');
      const numbers = packed.split(' ');
      return second === undefined
        ? { kind: 'agent', agent: first, counts: unpack(AGENT_NAMES, AGENT_KINDS, numbers) }
        : { kind: 'pair', first, second, counts: unpack(PAIR_NAMES, PAIR_KINDS, numbers) };
    });
}

function unpack<Counts>(names: readonly string[], kinds: string, numbers: readonly string[]): Counts {
  if (numbers.length !== names.length) throw new UnreadableValueError('a record has other counters');
  const entries = names.map((name, at) => {
    const text = numbers[at] ?? '';
    if (text === '-') return [name, kinds[at] === 'l' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY];
    return [name, Number(text)];
  });
  return Object.fromEntries(entries) as Counts;
}

function ordered(names: readonly string[], counts: Readonly<Record<string, number>>): readonly number[] {
  return names.map((name) => counts[name] ?? 0);
}

function lettersOf(counters: Readonly<Record<string, keyof typeof LETTERS>>): string {
  return Object.values(counters)
    .map((kind) => LETTERS[kind])
    .join('');
}
