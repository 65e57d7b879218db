import type { LabelRow, PlanRecord } from '../domain/plan.ts';

/** The part of a store that holds what a cohort has come to think of its agents. Bounded, and gone with the cohort. */
export interface Plans {
  /** The latest plan; null when there is none, or no such cohort. */
  read(cohort: string): Promise<PlanRecord | null>;
  /**
   * Puts a plan in the place of the one with version `expected`, 0 for none. False when another was faster, or there is
   * no such cohort; repeating it may give false though it was done.
   */
  swap(cohort: string, expected: number, plan: PlanRecord): Promise<boolean>;
  /**
   * Notes who agreed on a bucket and keeps the latest `most` of such rows; a row that is among them already is not noted
   * again. Returns how many were ever noted; 0 without such a cohort.
   */
  note(cohort: string, row: LabelRow, most: number): Promise<number>;
  /** The rows that are kept, oldest first. */
  rows(cohort: string): Promise<readonly LabelRow[]>;
}
