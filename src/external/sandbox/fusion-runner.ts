import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { ServiceError } from '../../domain/errors.ts';
import type { CodeRunner, Job, Outcome } from '../../service/code/code-runner.ts';
import { asciiJson, readModules, readPython } from './sources.ts';

/** For what the service does around the program: start Python, tell the result. */
const OVERHEAD_MS = 30_000;
const MESSAGE_MARGIN = 65_536;

export interface FusionRunnerOptions {
  readonly url: string;
  /** Requests at a time. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

interface RunResult {
  readonly status?: unknown;
  readonly stdout?: unknown;
  readonly execution_time?: unknown;
}

/**
 * Runs programs on a service that speaks SandboxFusion's `POST /run_code`. Each job is one Python program, which holds the
 * tests and starts the program to be tested as a process of its own, so that only values pass between them here too.
 */
export class FusionRunner implements CodeRunner {
  readonly #options: FusionRunnerOptions;
  readonly #agent: Agent;
  readonly #closing = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: FusionRunnerOptions) {
    this.#options = options;
    this.#agent = new Agent({ connections: options.connections });
  }

  get queued(): number {
    return this.#waiting.length;
  }

  async run(job: Job): Promise<Outcome> {
    await this.#enter();
    try {
      if (this.#closing.signal.aborted) throw draining();
      return await this.#post(job);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(draining());
    for (const enter of this.#waiting.splice(0)) enter();
    await this.#agent.destroy();
  }

  async #enter(): Promise<void> {
    if (this.#running >= this.#options.connections) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }

  async #post(job: Job): Promise<Outcome> {
    const { timeoutMs, outputBytes } = this.#options;
    const mark = `${randomUUID()} `;
    const longest = outputBytes + MESSAGE_MARGIN;
    const result = await this.#send({
      code: programOf(job, mark, outputBytes, longest),
      language: 'python',
      run_timeout: timeoutMs / 1_000,
    });
    return readResult(result, mark, outputBytes);
  }

  async #send(body: object): Promise<RunResult> {
    const { url, timeoutMs } = this.#options;
    const limit = timeoutMs + OVERHEAD_MS;
    try {
      const reply = await request(`${url.replace(/\/$/, '')}/run_code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: this.#agent,
        headersTimeout: limit,
        bodyTimeout: limit,
        signal: this.#closing.signal,
      });
      if (reply.statusCode !== 200) {
        await reply.body.dump();
        throw new Error(`status ${reply.statusCode}`);
      }
      const { run_result: result, message } = (await reply.body.json()) as Record<string, unknown>;
      if (typeof result === 'object' && result !== null) return result;
      throw new Error(`no run_result: ${String(message).slice(0, 200)}`);
    } catch (error) {
      if (this.#closing.signal.aborted) throw draining();
      throw new ServiceError(
        'sandbox_unavailable',
        'The sandbox service at code.sandbox_url does not answer as it should; nothing of this request was stored. Send the same again.',
        { cause: error },
      );
    }
  }
}

function programOf(job: Job, mark: string, limit: number, longest: number): string {
  const parts = { sources: readModules(), request: { ...job, limit }, mark, longest };
  // A JSON text is written as a string literal by writing it as JSON once more.
  return `import json\nJOB = json.loads(${JSON.stringify(asciiJson(parts))})\n${readPython('remote')}`;
}

function readResult(
  { status, stdout, execution_time: seconds }: RunResult,
  mark: string,
  most: number,
): Outcome {
  const lines: string[] = [];
  let left = most;
  let text: string | null = null;
  for (const line of typeof stdout === 'string' ? stdout.split('\n') : []) {
    if (!line.startsWith(mark)) continue;
    const body = line.slice(mark.length + 1);
    if (line[mark.length] === 'R') text = body;
    if (line[mark.length] !== 'L' || body.length > left) continue;
    lines.push(body);
    left -= body.length;
  }
  const ms = typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : 0;
  const ending = text !== null ? 'returned' : status === 'TimeLimitExceeded' ? 'timeout' : 'ended';
  return { ending, text: text ?? '', lines, ms };
}

function draining(): ServiceError {
  return new ServiceError(
    'draining',
    'This server is shutting down: send the same request again, elsewhere or later.',
  );
}
