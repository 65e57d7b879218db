import type { AgentName, Cohort } from '../domain/cohort.ts';
import {
  type AgentCounts,
  addAgentCounts,
  addPairCounts,
  NO_AGENT_COUNTS,
  NO_PAIR_COUNTS,
  type PairCounts,
} from '../domain/diagnostics/counters.ts';
import type { AgentEvidence, PairEvidence, Window } from '../domain/verdict/evidence.ts';
import { cutWindows, type StepCounts } from '../domain/verdict/windows.ts';
import type { StepDiagnostics, Store } from '../store/store.ts';

/** The figures of a cohort, as far as a verdict looks at them. */
export interface Course {
  readonly agents: ReadonlyMap<AgentName, Pick<AgentEvidence, 'windows' | 'stepSizes'>>;
  readonly pairs: readonly PairEvidence[];
}

export const NO_COURSE: Pick<AgentEvidence, 'windows' | 'stepSizes'> = { windows: [], stepSizes: [] };

/** Groups or prompts of a window, at least. */
const WINDOW_GROUPS = 32;
/** Latest steps that are read, and records of an agent or a pair in them. */
const MOST_STEPS = 96;
const FEWEST_STEPS = 8;
const MOST_RECORDS = 2_000;
/** Where in the run, from 0 to 1, earlier steps are looked at to compare with, and how many there. */
const ANCHORS = [0.1, 0.5];
const ANCHOR_STEPS = 12;

/** Reads the latest steps of a cohort, and some of earlier ones to compare them with. */
export async function readCourse(store: Store, cohort: Cohort): Promise<Course> {
  const count = cohort.agents.length;
  const records = count + (count * (count - 1)) / 2;
  const most = Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, Math.floor(MOST_RECORDS / records)));
  const read = (from: number, to: number, steps: number) =>
    store.readDiagnostics(cohort.name, { from, to, most: Math.min(steps, most) });
  const late = await read(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, most);
  const [oldest] = late.steps;
  const chunks: (readonly StepDiagnostics[])[] = [];
  if (late.earlier > 0 && late.first !== null && oldest !== undefined) {
    const start = late.first.step;
    let from = start;
    for (const anchor of ANCHORS) {
      const to = Math.floor(start + anchor * (oldest.step - start));
      if (to < from) continue;
      chunks.push((await read(from, to, ANCHOR_STEPS)).steps);
      from = to + 1;
    }
  }
  const names = cohort.agents.map(({ name }) => name);
  const agents = names.map((name) => {
    const counted = (steps: readonly StepDiagnostics[]) =>
      steps.flatMap(({ step, tally }): StepCounts<AgentCounts>[] => {
        const counts = tally.agent(name);
        return counts === null || counts.groups === 0 ? [] : [{ step, weight: counts.groups, counts }];
      });
    const latest = counted(late.steps);
    const windows = [
      ...chunks.flatMap((chunk) => whole(counted(chunk), mergeAgents)),
      ...cutWindows(latest, WINDOW_GROUPS, mergeAgents),
    ];
    return [name, { windows, stepSizes: latest.slice(0, -1).map(({ weight }) => weight) }] as const;
  });
  const pairs = names.flatMap((first, at) =>
    names.slice(at + 1).map((second): PairEvidence => {
      const counted = (steps: readonly StepDiagnostics[]) =>
        steps.flatMap(({ step, tally }): StepCounts<PairCounts>[] => {
          const counts = tally.pair(first, second);
          return counts === null || counts.compared === 0 ? [] : [{ step, weight: counts.compared, counts }];
        });
      const windows = [
        ...chunks.flatMap((chunk) => whole(counted(chunk), mergePairs)),
        ...cutWindows(counted(late.steps), WINDOW_GROUPS, mergePairs),
      ];
      return { agents: [first, second], windows };
    }),
  );
  return { agents: new Map(agents), pairs };
}

/** All steps of a chunk in one window, if there are any. */
function whole<Counts>(
  steps: readonly StepCounts<Counts>[],
  merge: (counts: readonly Partial<Counts>[]) => Counts,
): readonly Window<Counts>[] {
  return cutWindows(steps, Number.POSITIVE_INFINITY, merge);
}

function mergeAgents(counts: readonly Partial<AgentCounts>[]): AgentCounts {
  const sum = { ...NO_AGENT_COUNTS };
  for (const each of counts) addAgentCounts(sum, each);
  return sum;
}

function mergePairs(counts: readonly Partial<PairCounts>[]): PairCounts {
  const sum = { ...NO_PAIR_COUNTS };
  for (const each of counts) addPairCounts(sum, each);
  return sum;
}
