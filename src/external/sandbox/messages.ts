import type { Outcome } from '../../service/code/code-runner.ts';
import type { Image } from './interpreter.ts';

/** Limits of every run in a worker. */
export interface Limits {
  /** Of each interpreter. */
  readonly memoryBytes: number;
  /** Longest output of one program, all its calls together, in characters. */
  readonly outputBytes: number;
}

export interface WorkerData {
  readonly limits: Limits;
  /** Null for the first worker of a process: it makes one. */
  readonly image: Image | null;
}

/** How the program's interpreter took a job; a worker that is killed or dies says nothing more. */
export type InterpreterEnding = Exclude<Outcome['ending'], 'timeout' | 'crashed'>;

/**
 * From worker to pool. `running` starts a job's time; lines come while a `run` goes on; `done` is its answer, and
 * `ready` asks for the next.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'image'; readonly image: Image }
  | { readonly kind: 'running'; readonly id: number }
  | { readonly kind: 'line'; readonly id: number; readonly text: string }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly ending: InterpreterEnding;
      readonly text: string;
      readonly ms: number;
    };

export interface WorkerRequest {
  readonly id: number;
  /** A {@link Job} as JSON: what it holds may be nested deeper than a message can be. */
  readonly job: string;
}
