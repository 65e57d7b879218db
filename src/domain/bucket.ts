import { type AgentName, type Cohort, findAgent, type Member } from './cohort.ts';
import type { Plan } from './plan.ts';
import type { Signals } from './signals.ts';

/** `open` until decided; then `complete` (K rollouts), `partial` (fewer) or `empty` (none). */
export type GroupState = 'open' | 'complete' | 'partial' | 'empty';

/** What decided a group: its Kth rollout, quorum and grace, its agent skipping or leaving, or the deadline. */
export type Cause = 'k' | 'quorum' | 'skip' | 'finish' | 'deadline';

/** One sampled completion as it is kept: the extracted answer and small numbers, never the text. */
export interface Rollout {
  /** The client's id; `#3` where it sent only an index; `~3` where it sent neither. */
  readonly id: string;
  readonly index: number | null;
  readonly incarnation: string | null;
  /** Training step it was sent at: tells a retry from a later visit that repeats id and text. */
  readonly step: number | null;
  readonly answer: string | null;
  /** Canonical key of the answer; null abstains. */
  readonly key: string | null;
  /** Hash of the text, to tell a retry from another rollout. */
  readonly digest: string;
  readonly tokens: number | null;
  readonly truncated: boolean;
  /** Stored after its group was decided: scored, but without a vote. */
  readonly late: boolean;
  /** Came with neither id nor index, so only its text can tell a retry. */
  readonly anonymous: boolean;
  /**
   * Anonymous rollouts only: the connection that waits for the reward, `=` once it was answered, or null once it
   * closed unanswered. A byte-identical text re-attaches to a null one.
   */
  readonly holder: string | null;
  /**
   * Anonymous rollouts of a client whose pauses between tries are known: when its text came, oldest first, as far as that
   * may still tell a repeat from another rollout. Otherwise null.
   */
  readonly askedAt: readonly number[] | null;
  /** What else is known of it, for the methods that reward by it; null: nothing. */
  readonly signals: Signals | null;
}

/** One agent's rollouts for one (prompt, round). Immutable: every change makes a new one. */
export interface Group {
  readonly agent: AgentName;
  readonly k: number;
  readonly state: GroupState;
  readonly cause: Cause | null;
  readonly incarnation: string | null;
  readonly step: number | null;
  /** Milliseconds of the store's clock. */
  readonly openedAt: number;
  readonly deadlineAt: number;
  readonly quorumAt: number | null;
  readonly decidedAt: number | null;
  readonly rollouts: readonly Rollout[];
  /** Barrier `last-label` only: the teachers' groups that this group is scored against, fixed once. */
  readonly basis: readonly Basis[] | null;
  /**
   * The agent's latest decided group of an earlier round, as it was when this one was opened; tells whether its label
   * has changed since. Null where there was none, or no option of the cohort asks for it.
   */
  readonly previous: Group | null;
}

/** A teacher's group and the round it comes from; null when that teacher had no label recent enough. */
export interface Basis {
  readonly agent: AgentName;
  readonly round: number;
  readonly group: Group | null;
}

/** A group that will not change its vote any more. */
export type DecidedGroup = Group & { readonly state: Exclude<GroupState, 'open'>; readonly cause: Cause };

/** A ground truth as a data set has it: one text, or a list of answers each of which is right. */
export type GroundTruth = string | readonly string[];

/** The ground truth of a prompt, read from what the trainer sent. */
export interface Truth {
  readonly text: string;
  readonly key: string;
  /** Answers each of which is right as well; absent where there is only one. */
  readonly accepted?: readonly string[];
  /** Another truth that was sent for the prompt later, and contradicts this one. Nothing is graded by it. */
  readonly disputedBy?: string;
  /** Extraction mode that answers to this prompt are read and graded in. */
  readonly mode: string;
}

/** All agents' groups for one (cohort, prompt, round). */
export interface Bucket {
  readonly promptId: string;
  readonly round: number;
  readonly truth: Truth | null;
  /** The settings of the cohort that all in it is decided and paid by; fixed by its first rollout. */
  readonly settings: Cohort;
  /** What its labels are weighed by; fixed by its first rollout. Null: all alike. */
  readonly plan: Plan | null;
  /** Only agents that sent something or are waited for. */
  readonly groups: ReadonlyMap<AgentName, Group>;
}

export function emptyBucket(promptId: string, round: number, settings: Cohort): Bucket {
  return { promptId, round, truth: null, settings, plan: null, groups: new Map() };
}

/**
 * An agent by the settings of the bucket: other ones that a cohort has got since change nothing of what was paid. One that
 * came to the cohort later goes by today's, `now`.
 */
export function memberIn({ settings }: Pick<Bucket, 'settings'>, now: Member): Member {
  if (settings === now.cohort) return now;
  const agent = findAgent(settings, now.agent.name);
  return agent === undefined ? now : { cohort: settings, agent };
}

export function isDecided(group: Group | undefined): group is DecidedGroup {
  return group !== undefined && group.state !== 'open';
}

export function isOpen(bucket: Bucket): boolean {
  for (const group of bucket.groups.values()) if (group.state === 'open') return true;
  return false;
}

/** The rollouts that have a vote: those stored before their group was decided. */
export function votersOf(group: Group): readonly Rollout[] {
  return group.rollouts.some((rollout) => rollout.late)
    ? group.rollouts.filter((rollout) => !rollout.late)
    : group.rollouts;
}

const NOBODY: ReadonlySet<AgentName> = new Set();

/**
 * Agents that had finished before they were waited for in this bucket: a ring closes over the others. Their groups were
 * decided at the moment when they were opened; who leaves later leaves a group that was open for a time.
 */
export function goneFrom({ groups }: Bucket): ReadonlySet<AgentName> {
  let gone: Set<AgentName> | null = null;
  for (const { agent, state, cause, openedAt, decidedAt } of groups.values()) {
    if (state !== 'empty' || cause !== 'finish' || decidedAt !== openedAt) continue;
    gone = (gone ?? new Set()).add(agent);
  }
  return gone ?? NOBODY;
}

export function withGroup(bucket: Bucket, group: Group): Bucket {
  return { ...bucket, groups: new Map(bucket.groups).set(group.agent, group) };
}
