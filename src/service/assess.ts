import type { NewRollout } from '../domain/arrival.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import type { GroupInput } from './submission.ts';

/** One group of a submission: as it was sent, and as its rollouts were read, in the same order. */
export interface ReadGroup {
  readonly cohort: Cohort;
  readonly agent: Agent;
  readonly group: GroupInput;
  readonly rollouts: readonly NewRollout[];
  /** Whether the caller can be told that a rollout has no reward. */
  readonly carriesNull: boolean;
}

/**
 * Says of rollouts what reading cannot, as a sandbox that runs programs or a judge that is asked. It works before they
 * are stored: its word is stored with them, and a reward stays what it was.
 */
export interface Assessor {
  /** Whether it has something to say of the rollouts of this group. */
  readonly concerns: (group: Omit<ReadGroup, 'rollouts' | 'carriesNull'>) => boolean;
  /**
   * The same rollouts, in the same order, with what it found. Many groups may be asked about at once: it bounds its
   * own work. Throws ServiceError when it takes no more; a single rollout that it could not assess gets
   * `signals.fault`.
   */
  readonly assess: (group: ReadGroup) => Promise<readonly NewRollout[]>;
}
