import { grade } from '../../src/answers/grade.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import { formatTable } from '../support/table.ts';
import { type Recomputed, type Ring, teacherOf } from './expected.ts';
import type { Ledger } from './ledger.ts';
import type { Counters } from './messages.ts';
import { groupName, groupRollouts, type RolloutsFile } from './rollouts.ts';

export interface ReportInput {
  readonly file: RolloutsFile;
  readonly recomputed: Recomputed;
  readonly ledger: Ledger;
  readonly ring: Ring;
  readonly mode: ExtractionMode;
}

/** Two agents on all (prompt, round) for which both have a label. */
export interface Pair {
  readonly agents: readonly [string, string];
  readonly both: number;
  readonly agree: number;
}

/** How often each two agents' labels are the same. */
export function comparePairs({ file, recomputed }: Pick<ReportInput, 'file' | 'recomputed'>): Pair[] {
  const { agents, rollouts } = file;
  const visits = new Map(
    rollouts.map(({ promptId, round }) => [`${promptId}|${round}`, { promptId, round }]),
  );
  return agents.flatMap((first, place) =>
    agents.slice(place + 1).map((second): Pair => {
      const labels = [...visits.values()].flatMap((visit) => {
        const a = recomputed.labels.get(groupName({ ...visit, agent: first }));
        const b = recomputed.labels.get(groupName({ ...visit, agent: second }));
        return a == null || b == null ? [] : [a === b];
      });
      return { agents: [first, second], both: labels.length, agree: labels.filter(Boolean).length };
    }),
  );
}

/** The table of all pairs. */
export function tellPairs(input: ReportInput): string {
  const { file, ring } = input;
  const rows = comparePairs(input).map(({ agents: [a, b], both, agree }) => {
    const learns = [
      ...(teacherOf(file.agents, a, ring) === b ? [`${b} -> ${a}`] : []),
      ...(teacherOf(file.agents, b, ring) === a ? [`${a} -> ${b}`] : []),
    ];
    return [`${a} / ${b}`, ratio(agree, both), `${agree} of ${both}`, learns.join(', ') || '-'];
  });
  return formatTable(['pair', 'agreement', 'labels', 'teacher -> student'], rows);
}

/** The table of all agents: how good their own labels are, and what their teacher paid them. */
export function tellAgents(input: ReportInput): string {
  const { file, ledger, ring } = input;
  const own = new Map(file.agents.map((agent) => [agent, gradeLabels(input, agent)]));
  const rows = file.agents.map((agent) => {
    const { groups, labeled, right } = own.get(agent) ?? { groups: 0, labeled: 0, right: 0 };
    const teacher = teacherOf(file.agents, agent, ring);
    const taught = own.get(teacher) ?? { labeled: 0, right: 0 };
    const names = file.rollouts.filter((rollout) => rollout.agent === agent);
    const rewards = names.flatMap(({ name }) => ledger.settled.get(name) ?? []);
    const sum = rewards.reduce((a, b) => a + b, 0);
    return [
      agent,
      ratio(right, labeled),
      ratio(labeled, groups),
      teacher,
      ratio(taught.right, taught.labeled),
      ratio(sum, rewards.length),
      `${rewards.length} of ${names.length}`,
    ];
  });
  return formatTable(
    ['agent', 'label accuracy', 'coverage', 'teacher', "teacher's accuracy", 'mean reward', 'rewarded'],
    rows,
  );
}

/** What the clients did. */
export function tellTraffic(counters: readonly Counters[], ledger: Ledger, wallMs: number): string {
  const sum = (key: keyof Counters) => counters.reduce((total, each) => total + each[key], 0);
  const mostTries = Math.max(0, ...counters.map((each) => each.mostTries));
  const rows = [
    ['rewards checked (repeats included)', ledger.checked],
    ['rollouts rewarded', ledger.settled.size],
    ['rollouts missing', ledger.missing.length],
    ['wrong rewards and other faults', ledger.faultCount],
    ['client processes', counters.length],
    ['requests with rollouts', sum('posts')],
    ['rollouts sent (repeats included)', sum('sent')],
    ['polls', sum('polls')],
    ['202 pending', sum('pending')],
    ['503 try again', sum('unavailable')],
    ['connections broken by clients', sum('aborts')],
    ['connections broken otherwise', sum('broken')],
    ['most requests for one rollout', mostTries],
    ['wall time, s', (wallMs / 1000).toFixed(1)],
  ] as const;
  return formatTable(['traffic', ''], rows);
}

function gradeLabels({ file, recomputed, mode }: ReportInput, agent: string) {
  const groups = [...groupRollouts(file.rollouts)].filter(([, [first]]) => first?.agent === agent);
  const labels = groups.flatMap(([name, [first]]) => {
    const label = recomputed.labels.get(name);
    return label == null || first === undefined ? [] : [grade(label, first.gold, mode).equal];
  });
  return { groups: groups.length, labeled: labels.length, right: labels.filter(Boolean).length };
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(3);
}
