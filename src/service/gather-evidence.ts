import type { Bucket, Group } from '../domain/bucket.ts';
import type { AgentName, Cohort } from '../domain/cohort.ts';
import { countTexts } from '../domain/diagnostics/count-votes.ts';
import type { AgentEvidence, Evidence, SharedTexts, Visit, Wait } from '../domain/verdict/evidence.ts';
import { waitsIn } from '../methods/relations.ts';
import type { AgentActivity, Store } from '../store/store.ts';
import type { Barrier } from './barrier.ts';
import { type Course, NO_COURSE } from './read-course.ts';

/** Prompts of each agent that a verdict looks at. */
const LATEST_PROMPTS = 64;

export interface Gathered {
  readonly cohort: Cohort;
  readonly now: number;
  readonly activity: readonly AgentActivity[];
  readonly waits: readonly Wait[];
  /** Whether somebody waits for so long that it matters what the agents sent. */
  readonly isStalled: boolean;
  readonly course: Course | null;
}

/** What a cohort shows, as a verdict is made from it. */
export async function gatherEvidence(
  { cohort, now, activity, waits, isStalled, course }: Gathered,
  { store, barrier }: { readonly store: Store; readonly barrier: Barrier },
): Promise<Evidence> {
  const parked = new Set(barrier.list(cohort.name).map(({ agent }) => agent));
  const agents = activity.map(async (known): Promise<AgentEvidence> => {
    const { agent: name, finished, lastArrivalAt, trail } = known;
    const heard = barrier.attendance.heardAt(cohort.name, name);
    const { windows, stepSizes } = course?.agents.get(name) ?? NO_COURSE;
    return {
      name,
      finished,
      parked: parked.has(name),
      heardAt: lastArrivalAt === null ? heard : Math.max(lastArrivalAt, heard ?? 0),
      lastArrivalAt,
      trail,
      visits: isStalled ? await readVisits(store, cohort, known) : [],
      windows,
      stepSizes: trail.step === null ? [] : stepSizes,
    };
  });
  return { cohort, now, agents: await Promise.all(agents), waits, pairs: course?.pairs ?? [] };
}

/** The prompts that an agent sent last, newest last; those that are kept no more are left out. */
async function readVisits(
  store: Store,
  cohort: Cohort,
  { agent, recentPrompts }: AgentActivity,
): Promise<readonly Visit[]> {
  const latest = recentPrompts.slice(-LATEST_PROMPTS);
  const promptIds = [...new Set(latest.map(({ promptId }) => promptId))];
  const read = await Promise.all(promptIds.map((promptId) => store.readPrompt(cohort.name, promptId)));
  const rounds = new Map(promptIds.map((promptId, at) => [promptId, read[at] ?? []]));
  return latest.flatMap(({ promptId, round }) => {
    const buckets = rounds.get(promptId) ?? [];
    const bucket = buckets.find((each) => each.round === round);
    return bucket === undefined ? [] : (toVisit(cohort, agent, bucket, buckets) ?? []);
  });
}

function toVisit(cohort: Cohort, name: AgentName, bucket: Bucket, rounds: readonly Bucket[]): Visit | null {
  const group = bucket.groups.get(name);
  const agent = cohort.agents.find((each) => each.name === name);
  // A prompt that it skipped says nothing of what it sends.
  if (group === undefined || agent === undefined || group.rollouts.length === 0) return null;
  const teachers = waitsIn(bucket, { cohort, agent }).map(
    (teacher) => bucket.groups.get(teacher)?.decidedAt ?? null,
  );
  const earlier = rounds.find(({ round }) => round === bucket.round - 1)?.groups.get(name);
  const isSame = earlier !== undefined && earlier.rollouts.length > 0;
  return {
    promptId: bucket.promptId,
    round: bucket.round,
    step: group.step,
    size: group.rollouts.length,
    k: group.k,
    state: group.state,
    openedAt: group.openedAt,
    decidedAt: group.decidedAt,
    readyAt: teachers.includes(null) ? null : Math.max(0, ...teachers.map((at) => at ?? 0)),
    before:
      isSame && earlier.incarnation === group.incarnation
        ? { step: earlier.step, decidedAt: earlier.decidedAt }
        : null,
    sentBy: new Map(
      [...bucket.groups.values()].flatMap((other) =>
        other.agent === name || other.rollouts.length === 0 ? [] : [[other.agent, sharedTexts(group, other)]],
      ),
    ),
    answered: group.rollouts.filter(({ key }) => key !== null).length,
  };
}

function sharedTexts(one: Group, other: Group): SharedTexts {
  const digests = ({ rollouts }: Group) => rollouts.map(({ digest }) => digest);
  return { ...NO_TEXTS, ...countTexts(digests(one), digests(other)) };
}

const NO_TEXTS: SharedTexts = { texts: 0, sameTexts: 0 };
