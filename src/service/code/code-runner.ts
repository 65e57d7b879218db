import type { ProgramSource } from '../../answers/code/program.ts';

/** One call of the function that is asked for; arguments in the tagged JSON of the sandbox. */
export interface Call {
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}

/** Without `blocks`, the program is `code`. */
type ProgramText = Pick<ProgramSource, 'code'> & Partial<ProgramSource>;

/**
 * What a sandbox is asked for. `plan`: the function and the calls whose outputs vote. `run`: the outputs of one program for
 * these calls. `test`: whether the tests pass. `unify`: an integral float is an integer.
 */
export type Job =
  | {
      readonly op: 'plan';
      readonly entry: string | null;
      readonly tests: string | null;
      readonly inputs: readonly unknown[] | null;
    }
  | (ProgramText & {
      readonly op: 'run';
      readonly entry: string;
      readonly unify: boolean;
      readonly calls: readonly Call[];
    })
  | (ProgramText & { readonly op: 'test'; readonly entry: string | null; readonly tests: string });

/**
 * How a job ended: `returned` with its answer; `overflow`: what it gave was too long; `silent`: without an answer; `ended`:
 * it left its interpreter otherwise than by returning; `timeout`: its time was over; `crashed`: it took the whole worker along.
 */
export type Ending = 'returned' | 'overflow' | 'silent' | 'ended' | 'timeout' | 'crashed';

export interface Outcome {
  readonly ending: Ending;
  /** JSON: the plan, or the verdict of the tests; '' without one. */
  readonly text: string;
  /** The outputs of a `run` as far as it came, each a JSON string. */
  readonly lines: readonly string[];
  readonly ms: number;
}

/**
 * Runs programs somewhere. However a program ends, that is an Outcome; rejects with ServiceError when there is nowhere to
 * run it (`sandbox_unavailable`, `draining`).
 */
export interface CodeRunner {
  /** `owner`: who waits for it. Owners take turns, so that one with many jobs does not keep the others waiting. */
  run(job: Job, owner: string): Promise<Outcome>;
  /** Jobs that wait for a place. */
  readonly queued: number;
  close(): Promise<void>;
}
