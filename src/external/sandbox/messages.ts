import type { Job, Outcome } from '../../service/code/code-runner.ts';
import type { Image } from './interpreter.ts';

/**
 * Tests of a program that runs on a service: `known` are the requests that it has been sent and its replies, null where it gave none.
 * The outcome has the verdict, or `ask`: the requests that it has to be sent instead.
 */
export interface ReplayJob {
  readonly op: 'replay';
  readonly code: string;
  readonly blocks?: readonly string[];
  readonly entry: string | null;
  readonly tests: string;
  readonly known: readonly (readonly [request: string, reply: string | null])[];
}

/** What a worker does. */
export type SandboxJob = Job | ReplayJob;

/** Limits of every run in a worker. */
export interface Limits {
  /** Of each interpreter. */
  readonly memoryBytes: number;
  /** Longest output of one program, all its calls together, in characters. */
  readonly outputBytes: number;
}

/** Beside the outputs themselves, for what a message has around them. */
export const MESSAGE_MARGIN = 65_536;

export interface WorkerData {
  readonly limits: Limits;
  /** Null for the first worker of a server: it makes one. */
  readonly image: Image | null;
}

/** The first message to a worker's process; the bytes of an image follow where there is an entry. */
export interface WorkerStart {
  readonly limits: Limits;
  readonly entry: number | null;
}

/** How the program's interpreter took a job; a worker that is killed or dies says nothing more. */
export type InterpreterEnding = Exclude<Outcome['ending'], 'timeout' | 'crashed'>;

/** The end of a job, and its answer. */
export interface Done {
  readonly kind: 'done';
  readonly id: number;
  readonly ending: InterpreterEnding;
  readonly text: string;
  readonly ms: number;
  /** It did what no honest program does, or left more behind than memory: nothing of the worker is to be believed from here. */
  readonly isSuspect: boolean;
}

/**
 * From worker to pool. `running` starts a job's time; lines come while a `run` goes on; `done` is its answer, and
 * `ready` asks for the next.
 */
export type PlainMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly id: number }
  | { readonly kind: 'line'; readonly id: number; readonly text: string }
  | Done;

/** From the thread that runs programs to its process; the image crosses the pipe as bytes behind its entry. */
export type ThreadMessage = PlainMessage | { readonly kind: 'image'; readonly image: Image };

/** From a worker's process to the pool. */
export type WorkerMessage = PlainMessage | { readonly kind: 'image'; readonly entry: number };

export interface WorkerRequest {
  readonly id: number;
  /** A {@link Job} as JSON: what it holds may be nested deeper than a message can be. */
  readonly job: string;
}

const ENDINGS: ReadonlySet<unknown> = new Set<InterpreterEnding>(['returned', 'overflow', 'silent', 'ended']);

/** The message in a text that a worker's process wrote, which is not to be trusted; null where it is none. */
export function readMessage(text: string): WorkerMessage | null {
  const value = parseObject(text);
  if (value === null) return null;
  const { kind, id, text: body, entry, ending, ms, isSuspect } = value;
  if (kind === 'ready') return { kind };
  if (kind === 'image' && isCount(entry)) return { kind, entry };
  if (!isCount(id)) return null;
  if (kind === 'running') return { kind, id };
  if (typeof body !== 'string') return null;
  if (kind === 'line') return { kind, id, text: body };
  if (kind !== 'done' || !ENDINGS.has(ending) || typeof isSuspect !== 'boolean') return null;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return null;
  return { kind, id, ending: ending as InterpreterEnding, text: body, ms, isSuspect };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
