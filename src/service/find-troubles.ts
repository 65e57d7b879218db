import type { Bucket } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import type { AgentActivity } from '../store/store.ts';
import { findWaits, type Wait } from './waits.ts';

export type TroubleCode = 'silent_agent' | 'wait_cycle' | 'disjoint_prompts' | 'k_mismatch';

/** What keeps a cohort from moving, in words for the person who started it. */
export interface Trouble {
  readonly code: TroubleCode;
  readonly agents: readonly AgentName[];
  readonly message: string;
}

export interface Situation {
  readonly cohort: Cohort;
  readonly now: number;
  readonly activity: readonly AgentActivity[];
  /** Open buckets, oldest first. */
  readonly buckets: readonly Bucket[];
  /** Agents that have a request parked right now. */
  readonly parked: ReadonlySet<AgentName>;
}

/** Prompts that two agents must have sent before their ids are called different. */
const ENOUGH_PROMPTS = 3;
/** Groups stuck at the same count before K is called wrong. */
const ENOUGH_GROUPS = 3;

/** Finds why agents wait, the most specific diagnosis first: a wait is named once. */
export function findTroubles(situation: Situation): Trouble[] {
  const { cohort, now } = situation;
  const stalled = now - cohort.watchdog.stalledAfterMs;
  const waits = findWaits(cohort, situation.buckets);
  const old = waits.filter(({ prompts }) => (prompts[0]?.since ?? now) <= stalled);
  const mismatches = findMismatches(situation);
  const disjoint = findDisjoint(situation, old);
  const explained = new Set([...mismatches, ...disjoint].flatMap(({ agents }) => agents));
  const rest = old.filter(({ teacher }) => !explained.has(teacher));
  return [...mismatches, ...disjoint, ...findCycles(situation, rest), ...findSilent(situation, rest)];
}

/** The agent went on to other prompts, and its groups all stand at the same count below K. */
function findMismatches({ cohort, now, activity, buckets }: Situation): Trouble[] {
  const { stalledAfterMs } = cohort.watchdog;
  return cohort.agents.flatMap(({ name, k }): Trouble[] => {
    const last = activity.find(({ agent }) => agent === name)?.lastArrivalAt ?? 0;
    const stuck = buckets.flatMap((bucket) => {
      const group = bucket.groups.get(name);
      const old = group !== undefined && now - group.openedAt >= stalledAfterMs && last > group.openedAt;
      return old && group.state === 'open' && group.rollouts.length > 0
        ? [{ promptId: bucket.promptId, have: group.rollouts.length }]
        : [];
    });
    const [first] = stuck;
    if (first === undefined || stuck.length < ENOUGH_GROUPS) return [];
    if (stuck.some(({ have }) => have !== first.have)) return [];
    const message = `"${name}" sent ${first.have} of ${k} rollouts for each of ${stuck.length} prompts (the first is "${first.promptId}") and went on. Does its trainer sample ${first.have} per prompt? Then set k: ${first.have} for this agent.`;
    return [{ code: 'k_mismatch', agents: [name], message }];
  });
}

/** The student waits for prompts that the teacher does not send, and sends none that the teacher did. */
function findDisjoint({ activity }: Situation, waits: readonly Wait[]): Trouble[] {
  const recentOf = (name: AgentName) =>
    new Set(activity.find(({ agent }) => agent === name)?.recentPrompts.map(({ promptId }) => promptId));
  const named = new Set<string>();
  return waits.flatMap(({ student, teacher, prompts }): Trouble[] => {
    const pair = [student, teacher].sort().join('\u0000');
    const theirs = recentOf(teacher);
    const awaited = new Set(prompts.map(({ promptId }) => promptId));
    const ours = new Set([...recentOf(student), ...awaited]);
    if (named.has(pair) || awaited.size < ENOUGH_PROMPTS || theirs.size < ENOUGH_PROMPTS) return [];
    if ([...theirs].some((promptId) => ours.has(promptId))) return [];
    named.add(pair);
    const message = `"${student}" and "${teacher}" send different prompt ids: ${student} waits on ${quoteSome(awaited)}, while ${teacher} sent ${quoteSome(theirs)}. Give both datasets the same ids, and both trainers the same data seed and shuffle.`;
    return [{ code: 'disjoint_prompts', agents: [student, teacher], message }];
  });
}

/** Every agent of the circle has requests parked and none sends: each waits before it sends what the next needs. */
function findCycles({ cohort, now, activity, parked }: Situation, waits: readonly Wait[]): Trouble[] {
  const { stalledAfterMs } = cohort.watchdog;
  const quiet = (name: AgentName) =>
    now - (activity.find(({ agent }) => agent === name)?.lastArrivalAt ?? 0) >= stalledAfterMs;
  const stuck = waits.filter(({ student }) => parked.has(student) && quiet(student));
  const seen = new Set<AgentName>();
  return stuck.flatMap(({ student }): Trouble[] => {
    if (seen.has(student)) return [];
    const circle = findCircle(student, stuck);
    if (circle === null) return [];
    for (const wait of circle) seen.add(wait.student);
    const legs = circle.map(
      (wait) => `${wait.student} waits for ${wait.teacher} on ${quote(wait.prompts[0]?.promptId ?? '')}`,
    );
    const since = formatAge(now - Math.max(...circle.map(({ prompts }) => prompts[0]?.since ?? now)));
    const message = `Nobody can move: ${legs.join(', ')}, and nothing has come for ${since}. Each trainer waits for a reward before it sends what the other needs. Let each send all rollouts of a step before it waits (more concurrent reward calls), or give all the same prompt order.`;
    return [{ code: 'wait_cycle', agents: circle.map((wait) => wait.student), message }];
  });
}

/** The waits that lead from `start` back to it, or null. */
function findCircle(start: AgentName, waits: readonly Wait[]): Wait[] | null {
  const visited = new Set<AgentName>();
  const walk = (name: AgentName, path: readonly Wait[]): Wait[] | null => {
    for (const wait of waits) {
      if (wait.student !== name) continue;
      const next = [...path, wait];
      if (wait.teacher === start) return next;
      if (visited.has(wait.teacher)) continue;
      visited.add(wait.teacher);
      const found = walk(wait.teacher, next);
      if (found !== null) return found;
    }
    return null;
  };
  return walk(start, []);
}

/** An awaited agent that neither sends nor waits. */
function findSilent({ cohort, now, activity, parked }: Situation, waits: readonly Wait[]): Trouble[] {
  const { silentAfterMs } = cohort.watchdog;
  return cohort.agents.flatMap(({ name }): Trouble[] => {
    const students = waits.filter(({ teacher }) => teacher === name);
    const oldest = students
      .flatMap(({ prompts }) => prompts.slice(0, 1))
      .sort((a, b) => a.since - b.since)[0];
    const last = activity.find(({ agent }) => agent === name)?.lastArrivalAt ?? null;
    if (oldest === undefined || parked.has(name)) return [];
    if (now - oldest.since < silentAfterMs || (last !== null && now - last < silentAfterMs)) return [];
    const silence =
      last === null ? 'has never sent anything' : `has sent nothing for ${formatAge(now - last)}`;
    const who = students.map(({ student }) => student).join(', ');
    const count = students.reduce((sum, { prompts }) => sum + prompts.length, 0);
    const message = `"${name}" ${silence}, and ${who} waits for it on ${count} prompts (the oldest is ${quote(oldest.promptId)}, round ${oldest.round}, for ${formatAge(now - oldest.since)}). Is its trainer running and pointed at agent "${name}" of cohort "${cohort.name}"?`;
    return [{ code: 'silent_agent', agents: [name], message }];
  });
}

function quote(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
}

function quoteSome(texts: ReadonlySet<string>): string {
  return [...texts].slice(0, 3).map(quote).join(', ');
}

function formatAge(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
