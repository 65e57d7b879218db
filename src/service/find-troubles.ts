import type { Bucket } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import { countNoun } from '../domain/count-noun.ts';
import type { AgentActivity } from '../store/store.ts';
import type { Wait } from './waits.ts';

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
  /** Who waits for whom in them. */
  readonly waits: readonly Wait[];
  /** For each agent, what is kept of the prompts that it sent last: every round, open or not. */
  readonly latest: ReadonlyMap<AgentName, readonly Bucket[]>;
  /** Agents that have a request parked right now. */
  readonly parked: ReadonlySet<AgentName>;
}

/** Prompts that two agents must have sent before their ids are called different. */
const ENOUGH_PROMPTS = 3;

/** Finds why agents wait, the most specific diagnosis first: a wait is named once. */
export function findTroubles(situation: Situation): Trouble[] {
  const { cohort, now, activity, parked } = situation;
  // Who has left wants no rewards any more, unless it asks for them.
  const gone = new Set(activity.flatMap(({ agent, finished }) => (finished ? agent : [])));
  const waits = situation.waits.filter(({ student }) => !gone.has(student) || parked.has(student));
  const stalledSince = now - cohort.watchdog.stalledAfterMs;
  const stalled = waits.filter(({ prompts }) => (prompts[0]?.since ?? now) <= stalledSince);
  const mismatches = findMismatches(situation);
  const disjoint = findDisjoint(situation, stalled);
  const explained = new Set([...mismatches, ...disjoint].flatMap(({ agents }) => agents));
  const unexplained = (some: readonly Wait[]) => some.filter(({ teacher }) => !explained.has(teacher));
  return [
    ...mismatches,
    ...disjoint,
    ...findCycles(situation, unexplained(stalled)),
    ...findSilent(situation, unexplained(waits)),
  ];
}

/** The agent still takes part, and its groups all stand at the same count, which none of them ever passed. */
function findMismatches(situation: Situation): Trouble[] {
  const { cohort, now, activity, buckets, latest, parked } = situation;
  return cohort.agents.flatMap(({ name, k }): Trouble[] => {
    const groupsIn = (some: readonly Bucket[]) => some.flatMap(({ groups }) => groups.get(name) ?? []);
    const stuck = buckets.filter(({ groups }) => {
      const group = groups.get(name);
      const isOld = group !== undefined && now - group.openedAt >= cohort.watchdog.stalledAfterMs;
      return isOld && group.state === 'open' && group.rollouts.length > 0;
    });
    const [first] = stuck;
    const have = first?.groups.get(name)?.rollouts.length;
    if (first === undefined || have === undefined || stuck.length < enoughGroups(have)) return [];
    if (groupsIn(stuck).some(({ rollouts }) => rollouts.length !== have)) return [];
    const known = groupsIn([...buckets, ...(latest.get(name) ?? [])]);
    if (known.some(({ rollouts }) => rollouts.length > have)) return [];
    const last = activity.find(({ agent }) => agent === name)?.lastArrivalAt ?? 0;
    if (!parked.has(name) && now - last >= cohort.watchdog.silentAfterMs) return [];
    const message = `"${name}" sent ${have} of ${k} rollouts for each of ${stuck.length} prompts (the first is ${quote(first.promptId)}) and never more. Does its trainer sample ${have} per prompt? Then set k: ${have} for this agent.`;
    return [{ code: 'k_mismatch', agents: [name], message }];
  });
}

/** Every step of a trainer that sends one by one begins with one rollout for each of several prompts. */
function enoughGroups(have: number): number {
  return have > 1 ? 3 : 8;
}

/** The student waits for prompts that the teacher does not send, and never sent those that the teacher did. */
function findDisjoint(situation: Situation, waits: readonly Wait[]): Trouble[] {
  const named = new Set<string>();
  return waits.flatMap(({ student, teacher, prompts }): Trouble[] => {
    const pair = [student, teacher].sort().join('\u0000');
    const theirs = latestPrompts(situation, teacher);
    const awaited = new Set(prompts.map(({ promptId }) => promptId));
    if (named.has(pair) || awaited.size < ENOUGH_PROMPTS || theirs.size < ENOUGH_PROMPTS) return [];
    // Either may be about to send what the other has sent: only who stands still shows all that it will.
    if ([student, teacher].some((name) => !isQuiet(situation, name) || isHalfway(situation, name))) return [];
    if (haveMet(situation, student, teacher)) return [];
    named.add(pair);
    const message = `"${student}" and "${teacher}" send different prompt ids: ${student} waits on ${quoteSome(awaited)}, while ${teacher} sent ${quoteSome(theirs)}. Give both datasets the same ids, and both trainers the same data seed and shuffle.`;
    return [{ code: 'disjoint_prompts', agents: [student, teacher], message }];
  });
}

function latestPrompts({ latest }: Situation, name: AgentName): ReadonlySet<string> {
  return new Set(latest.get(name)?.map(({ promptId }) => promptId));
}

/** Both have rollouts for one of the prompts that either sent last, in whatever round. */
function haveMet({ latest }: Situation, one: AgentName, other: AgentName): boolean {
  const sent = (name: AgentName, buckets: readonly Bucket[]) =>
    buckets.some(({ groups }) => (groups.get(name)?.rollouts.length ?? 0) > 0);
  return sent(other, latest.get(one) ?? []) || sent(one, latest.get(other) ?? []);
}

function isHalfway({ buckets }: Situation, name: AgentName): boolean {
  return buckets.some(({ groups }) => {
    const group = groups.get(name);
    return group?.state === 'open' && group.rollouts.length > 0;
  });
}

/** Nothing came of the agent for as long as makes a wait worth a word. */
function isQuiet({ cohort, now, activity }: Situation, name: AgentName): boolean {
  const last = activity.find(({ agent }) => agent === name)?.lastArrivalAt ?? 0;
  return now - last >= cohort.watchdog.stalledAfterMs;
}

/** Every agent of the circle has requests parked and none sends: each waits before it sends what the next needs. */
function findCycles(situation: Situation, waits: readonly Wait[]): Trouble[] {
  const { now, parked } = situation;
  const stuck = waits.filter(({ student }) => parked.has(student) && isQuiet(situation, student));
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
    const message = `"${name}" ${silence}, and ${who} waits for it on ${countNoun(count, 'prompt')} (the oldest is ${quote(oldest.promptId)}, round ${oldest.round}, for ${formatAge(now - oldest.since)}). Is its trainer running and pointed at agent "${name}" of cohort "${cohort.name}"?`;
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
