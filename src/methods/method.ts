import type { DecidedGroup, Group, Rollout, Truth } from '../domain/bucket.ts';
import type { Agent, AgentName, Cohort } from '../domain/cohort.ts';
import type { Plan } from '../domain/plan.ts';
import type { RewardSource } from '../domain/reward-source.ts';
import type { Signals } from '../domain/signals.ts';

export type JudgementStatus = 'scored' | 'unlabeled' | 'expired' | 'skipped';

/** A decided group that a method waited for. `group` is null when `last-label` found none recent enough. */
export interface TeacherGroup {
  readonly agent: AgentName;
  readonly round: number;
  readonly group: DecidedGroup | null;
}

export interface JudgeInput {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly promptId: string;
  readonly round: number;
  /** The student's own group; open or decided. */
  readonly own: Group;
  readonly truth: Truth | null;
  /** What labels are weighed by in this bucket; null: all alike. */
  readonly plan?: Plan | null;
  /** Agents that had left before they were waited for in this bucket; absent: none. */
  readonly gone?: ReadonlySet<AgentName>;
  /** In the order of {@link RewardMethod.waitsFor}. */
  readonly teachers: readonly TeacherGroup[];
}

/** What the student's whole group is scored against: the same for every rollout, early, late or retried. */
export interface Judgement {
  readonly status: JudgementStatus;
  readonly label: { readonly key: string; readonly answer: string } | null;
  /** Share of the votes behind the top answer, 0 to 1; null where nothing was counted. */
  readonly share: number | null;
  /** Agents whose answers made the label. */
  readonly teachers: readonly AgentName[];
  readonly source: RewardSource;
  /** Rounds between the label and the rollouts; 0 under `sync`. */
  readonly staleness: number;
  /** Why there is no label, as a sentence; null when scored. */
  readonly reason: string | null;
  /** Finite reward of one rollout of the group, or null where it has none. */
  readonly reward: (rollout: Rollout) => number | null;
  /** What stands in for a missing reward where the trainer's protocol knows no null; absent: 0. */
  readonly standIn?: (rollout: Rollout) => number;
  /** Why one rollout of a scored group has no reward, as a sentence; null where it has one. */
  readonly reasonOf?: (rollout: Rollout) => string | null;
  /** Factor that the cohort's reward rules put on all rewards of the group, 0 to 1. */
  readonly weight?: number;
  /** What the trainer adds to every advantage of the group, at most 0 (RESTRAIN). */
  readonly advantageOffset?: number;
  /** Co-rewarding-II: a(s) of the group's training step, if both are known. */
  readonly emaCoefficient?: number | null;
}

/** One way to turn rollouts into rewards. Stateless; one file each. */
export interface RewardMethod {
  readonly name: Cohort['method'];
  /** Agents whose groups for the same (prompt, round) must be decided before `agent` is scored, in a bucket of `plan` that these are `goneFrom`. */
  readonly waitsFor: (
    cohort: Cohort,
    agent: Agent,
    plan: Plan | null,
    gone?: ReadonlySet<AgentName>,
  ) => readonly AgentName[];
  /** Whether the rewards of this group of its own wait for the whole of it, beside {@link waitsFor}. */
  readonly waitsForOwn?: (cohort: Cohort, own: Group) => boolean;
  /** Whether a group without ground truth cannot be scored at all. */
  readonly needsTruth: (cohort: Cohort) => boolean;
  /** It pays by a ground truth where one is sent, though it needs none. */
  readonly mayPayByTruth?: boolean;
  /** What every rollout must come with beside its answer. A protocol that carries no signals cannot serve such a method. */
  readonly needs: readonly (keyof Signals)[];
  /** More that a rollout must come with, given what it did come with. */
  readonly alsoNeeds?: (signals: Signals | null, hasTruth: boolean) => readonly (keyof Signals)[];
  readonly judge: (input: JudgeInput) => Judgement;
}
