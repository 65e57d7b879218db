import type { Branches } from './branches.ts';
import type { Complex } from './complex.ts';
import type { WorkBudget } from './work-budget.ts';

export interface EvaluationContext {
  /** Index of the sample point, see sample-points.ts. */
  readonly point: number;
  /** Values of bound variables. */
  readonly bound: ReadonlyMap<string, Complex>;
  readonly budget: WorkBudget;
  /** Shared by the contexts inside sums, which differ in `bound` only. */
  readonly flags: EvaluationFlags;
  /** Where pieces of a function are followed: the branches that are noted or kept. */
  readonly branches?: Branches;
}

export interface EvaluationFlags {
  /** A root, logarithm or power met a negative base, so that the value depends on a branch. */
  branched: boolean;
  /** A sum lost a term in its rounding, so that other terms in its place would give the same digits. */
  absorbed: boolean;
}
