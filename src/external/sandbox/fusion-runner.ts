import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { ServiceError } from '../../domain/errors.ts';
import type { CodeRunner, Job, Outcome } from '../../service/code/code-runner.ts';
import { MESSAGE_MARGIN, type ReplayJob, type SandboxJob } from './messages.ts';
import { draining } from './refusals.ts';
import { asciiJson, readModules, readPython } from './sources.ts';
import { TurnQueue } from './turn-queue.ts';

/** For what the service does around the program: start Python, tell the result. */
const OVERHEAD_MS = 30_000;
/** Requests to the service for one program: tests that ask for more in small steps are too much. */
const MOST_POSTS = 100;
/** JSON within JSON, at the worst. */
const ESCAPED = 12;

export interface FusionRunnerOptions {
  readonly url: string;
  /** Requests at a time. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  /** Holds the tests, and says what they say: the embedded sandbox. It is closed with this one. */
  readonly tester: Tester;
}

/** Runs the tests of a program that has run elsewhere. */
export interface Tester {
  run(job: SandboxJob, owner: string): Promise<Outcome>;
  readonly isDown: boolean;
  close(): Promise<void>;
}

/** What a program on the service said, and how it ended. */
interface Said {
  readonly replies: readonly string[];
  readonly lines: readonly string[];
  readonly isLate: boolean;
  readonly ms: number;
}

interface RunResult {
  readonly status?: unknown;
  readonly stdout?: unknown;
  readonly execution_time?: unknown;
}

/**
 * Runs programs on a service that speaks SandboxFusion's `POST /run_code`. Only the program and the arguments of its calls
 * go there: tests and what they expect stay with this server. The tests run in the embedded sandbox on what the program has
 * answered so far; where they ask it for more, the program is run again with all requests from the start.
 */
export class FusionRunner implements CodeRunner {
  readonly #options: FusionRunnerOptions;
  readonly #agent: Agent;
  readonly #closing = new AbortController();
  readonly #waiting = new TurnQueue<() => void>();
  #running = 0;

  constructor(options: FusionRunnerOptions) {
    this.#options = options;
    this.#agent = new Agent({ connections: options.connections });
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /** There is nothing to run tests in. */
  get isDown(): boolean {
    return this.#options.tester.isDown;
  }

  async run(job: Job, owner = ''): Promise<Outcome> {
    if (job.op === 'plan') return this.#options.tester.run(job, owner);
    await this.#enter(owner);
    try {
      if (this.#closing.signal.aborted) throw draining();
      return job.op === 'run' ? await this.#collect(job) : await this.#test(job, owner);
    } finally {
      this.#running -= 1;
      this.#waiting.take()?.();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(draining());
    for (const enter of this.#waiting.drain()) enter();
    await Promise.all([this.#agent.destroy(), this.#options.tester.close()]);
  }

  async #enter(owner: string): Promise<void> {
    if (this.#running >= this.#options.connections) {
      await new Promise<void>((resolve) => this.#waiting.add(owner, resolve));
    }
    this.#running += 1;
  }

  async #collect(job: Job): Promise<Outcome> {
    const { replies, lines, isLate, ms } = await this.#post([
      asciiJson({ ...job, limit: this.#options.outputBytes }),
    ]);
    const [text] = replies;
    const ending = text !== undefined ? 'returned' : isLate ? 'timeout' : 'ended';
    return { ending, text: text ?? '', lines, ms };
  }

  async #test({ code, blocks, entry, tests }: Extract<Job, { op: 'test' }>, owner: string): Promise<Outcome> {
    let known: ReplayJob['known'] = [];
    let ms = 0;
    for (let post = 0; post < MOST_POSTS && ms <= this.#options.timeoutMs; post += 1) {
      const job = { op: 'replay', code, ...(blocks && { blocks }), entry, tests, known } as const;
      const outcome = await this.#options.tester.run(job, owner);
      const requests = readAsk(outcome.text);
      if (requests === null) return { ...outcome, ms: ms + outcome.ms };
      const said = await this.#post(requests);
      ms += said.ms;
      if (said.isLate) break;
      known = requests
        .slice(0, said.replies.length + 1)
        .map((request, place) => [request, said.replies[place] ?? null] as const);
    }
    return { ending: 'timeout', text: '', lines: [], ms };
  }

  async #post(requests: readonly string[]): Promise<Said> {
    const { timeoutMs, outputBytes } = this.#options;
    const mark = `${randomUUID()} `;
    const result = await this.#send({
      code: programOf(requests, mark, outputBytes + MESSAGE_MARGIN),
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
      const text = await readBounded(reply.body, ESCAPED * (this.#options.outputBytes + MESSAGE_MARGIN));
      // A program that says more than it may has said nothing.
      if (text === null) return {};
      const { run_result: result, message } = JSON.parse(text) as Record<string, unknown>;
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

function programOf(requests: readonly string[], mark: string, longest: number): string {
  const { tests: _, ...sources } = readModules();
  // A JSON text is written as a string literal by writing it as JSON once more.
  return `import json\nJOB = json.loads(${JSON.stringify(asciiJson({ sources, requests, mark, longest }))})\n${readPython('remote')}`;
}

function readAsk(text: string): readonly string[] | null {
  if (!text.startsWith('{"ask":')) return null;
  return (JSON.parse(text) as { readonly ask: readonly string[] }).ask;
}

async function readBounded(body: AsyncIterable<Buffer>, most: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readResult(
  { status, stdout, execution_time: seconds }: RunResult,
  mark: string,
  most: number,
): Said {
  const lines: string[] = [];
  const replies: string[] = [];
  let left = most;
  for (const line of typeof stdout === 'string' ? stdout.split('\n') : []) {
    if (!line.startsWith(mark)) continue;
    const body = line.slice(mark.length + 1);
    if (line[mark.length] === 'R') replies.push(body);
    if (line[mark.length] !== 'L' || body.length > left) continue;
    lines.push(body);
    left -= body.length;
  }
  const ms = typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : 0;
  return { replies, lines, isLate: status === 'TimeLimitExceeded', ms };
}
