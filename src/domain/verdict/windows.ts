import type { Window } from './evidence.ts';

/** The counts of one step, and how many groups or prompts they are of. */
export interface StepCounts<Counts> {
  readonly step: number;
  readonly weight: number;
  readonly counts: Partial<Counts>;
}

/**
 * Cuts steps (ascending) into windows of at least `least` groups each, from the newest back, so that the last window is
 * what happens now. Steps that are left at the old end make a window of their own. Oldest first.
 */
export function cutWindows<Counts>(
  steps: readonly StepCounts<Counts>[],
  least: number,
  merge: (counts: readonly Partial<Counts>[]) => Counts,
): readonly Window<Counts>[] {
  const windows: Window<Counts>[] = [];
  let open: StepCounts<Counts>[] = [];
  let weight = 0;
  const close = () => {
    const [newest] = open;
    const oldest = open.at(-1);
    if (newest === undefined || oldest === undefined) return;
    windows.push({ first: oldest.step, last: newest.step, counts: merge(open.map(({ counts }) => counts)) });
    open = [];
    weight = 0;
  };
  for (const step of steps.toReversed()) {
    open.push(step);
    weight += step.weight;
    if (weight >= least) close();
  }
  close();
  return windows.reverse();
}
