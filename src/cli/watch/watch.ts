import { readView, type WatchTarget } from './read-view.ts';
import { renderView, summarize } from './render.ts';
import { tame } from './terminal-text.ts';

const EVERY_MS = 1_000;

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/** What is written to: a terminal has a size, and is drawn on; anything else gets lines. */
export interface Output {
  readonly write: (text: string) => void;
  /** Null: no terminal. */
  readonly size: () => { readonly columns: number; readonly rows: number } | null;
  readonly colors: boolean;
}

export interface WatchOptions {
  readonly once: boolean;
  readonly output: Output;
  readonly complain: (text: string) => void;
  /** Resolves after so many milliseconds, or at once when `stopped` aborts. */
  readonly pause: (ms: number, stopped: AbortSignal) => Promise<void>;
  readonly stopped: AbortSignal;
}

/** Shows a server until it is stopped, or once. The exit code: 1 where `--once` had no answer. */
export async function watch(target: WatchTarget, options: WatchOptions): Promise<number> {
  const { output, once } = options;
  if (once) return watchOnce(target, options);
  if (output.size() === null) return watchLines(target, options);
  output.write(ENTER);
  try {
    return await watchScreen(target, options);
  } finally {
    output.write(LEAVE);
  }
}

async function watchOnce(target: WatchTarget, { output, complain }: WatchOptions): Promise<number> {
  try {
    const columns = output.size()?.columns ?? Number.MAX_SAFE_INTEGER;
    const lines = renderView(await readView(target), { columns, colors: output.colors });
    output.write(`${lines.join('\n')}\n`);
    return 0;
  } catch (error) {
    complain(`${sentenceOf(error)}\n`);
    return 1;
  }
}

/** The last picture stays when the server does not answer, and says so. */
async function watchScreen(target: WatchTarget, { output, pause, stopped }: WatchOptions): Promise<number> {
  let known: readonly string[] = [];
  while (!stopped.aborted) {
    const { columns, rows } = output.size() ?? { columns: 80, rows: 24 };
    let head = '';
    try {
      known = renderView(await readView(target), { columns, colors: output.colors });
    } catch (error) {
      head = sentenceOf(error).slice(0, columns);
    }
    if (stopped.aborted) break;
    const all = [`${target.url}  Ctrl-C ends`.slice(0, columns), head, ...known].slice(0, rows);
    output.write(`${HOME}${all.map((line) => `${line}${REST_OF_LINE}`).join('\r\n')}${REST_OF_SCREEN}`);
    await pause(EVERY_MS, stopped);
  }
  return 0;
}

/** A line whenever something happened, for files and pipes. */
async function watchLines(target: WatchTarget, { output, pause, stopped }: WatchOptions): Promise<number> {
  let told = '';
  while (!stopped.aborted) {
    const line = await readView(target).then(summarize, sentenceOf);
    if (line !== told && !stopped.aborted) output.write(`${line}\n`);
    told = line;
    await pause(EVERY_MS, stopped);
  }
  return 0;
}

function sentenceOf(error: unknown): string {
  return tame(error instanceof Error ? error.message : String(error));
}
