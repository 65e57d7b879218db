import type { Theory } from './theory.ts';

/** One recorded case of a reference implementation or a closed form. */
export interface Vector<Input, Expected = unknown, Config = unknown> {
  readonly id: string;
  readonly input: Input;
  readonly expected: Expected;
  readonly config: Config;
  /** Rewards where grading is plain equality of keys, by agent, problem and rollout. */
  readonly expected_rewards_key_equality?: Readonly<Record<string, readonly (readonly number[])[]>>;
}

export interface Vectors {
  readonly vectors: readonly Vector<never, never, never>[];
  readonly theory: Theory;
}

export interface Outcome {
  /** What our code makes of the input. Compared with every part of what is expected; more of it does no harm. */
  readonly got: unknown;
  /** What it is held against, where that is not all of the vector's own `expected`. */
  readonly expected?: unknown;
  /** What we do otherwise on purpose, as a sentence. */
  readonly deviation?: string;
}

/**
 * Runners by the beginning of the ids that they are for; the longest fits. An area exports one table as `runners`, and a
 * vector passes when the runners of all areas that it has do.
 */
export type Runners = Readonly<
  Record<string, (vector: Vector<never, never, never>) => Outcome | Promise<Outcome>>
>;

/** One vote key per rollout, null where there is no answer. */
export type Keys = readonly (string | null)[];
