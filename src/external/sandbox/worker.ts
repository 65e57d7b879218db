import { parentPort, workerData } from 'node:worker_threads';
import { type Answer, type Image, Interpreter, type InterpreterOptions } from './interpreter.ts';
import {
  type InterpreterEnding,
  type Limits,
  MESSAGE_MARGIN,
  type SandboxJob,
  type ThreadMessage,
  type WorkerData,
  type WorkerRequest,
} from './messages.ts';

/**
 * The thread that runs programs: one interpreter for the program and, once tests or inputs have to be read, one for
 * them. Only text passes between the two, so that a program neither sees its tests nor what they expect.
 */
class SandboxThread {
  readonly #limits: Limits;
  readonly #send: (message: ThreadMessage) => void;
  #image: Image | null;
  #program: Interpreter | null = null;
  #tests: Interpreter | null = null;
  #current = 0;
  /** How the program's interpreter took what it was asked for, within one job. */
  #ending: InterpreterEnding = 'returned';
  /** What the job's outputs may still hold. */
  #left = { lines: 0, characters: 0 };

  constructor({ limits, image }: WorkerData, send: (message: ThreadMessage) => void) {
    this.#limits = limits;
    this.#image = image;
    this.#send = send;
  }

  /** Both interpreters as new: whoever runs next finds nothing of the last. */
  async makeReady(): Promise<void> {
    this.#program?.restore();
    this.#tests?.restore();
    this.#program ??= await this.#startProgram();
    this.#send({ kind: 'ready' });
  }

  async run({ id, job: text }: WorkerRequest): Promise<void> {
    const job = JSON.parse(text) as SandboxJob;
    this.#current = id;
    this.#ending = 'returned';
    this.#left = { lines: job.op === 'run' ? job.calls.length : 0, characters: this.#limits.outputBytes };
    if (job.op !== 'run') this.#tests ??= await this.#startTests();
    this.#send({ kind: 'running', id });
    const startedAt = performance.now();
    const answer = this.#answer(job);
    const ms = performance.now() - startedAt;
    const isSuspect = [this.#program, this.#tests].some((interpreter) => interpreter?.isSound === false);
    this.#send({ kind: 'done', id, ending: this.#ending, text: answer, ms, isSuspect });
    // Its server kills it then.
    if (!isSuspect) await this.makeReady();
  }

  #answer(job: SandboxJob): string {
    if (job.op === 'run') return this.#askProgram({ ...job, limit: this.#limits.outputBytes });
    return this.#tests === null ? '' : textOf(this.#tests.request(job));
  }

  #askProgram(request: object): string {
    if (this.#program === null || this.#ending === 'ended') return '';
    const answer = this.#program.request(request);
    this.#ending = answer.kind === 'reply' ? 'returned' : answer.kind;
    return textOf(answer);
  }

  #takeLine(text: string): void {
    if (this.#left.lines === 0 || text.length > this.#left.characters) return;
    this.#left = { lines: this.#left.lines - 1, characters: this.#left.characters - text.length };
    this.#send({ kind: 'line', id: this.#current, text });
  }

  #startProgram(): Promise<Interpreter> {
    // It has nobody to ask: what it writes as a question of its own gets no answer.
    return this.#start({ onLine: (text) => this.#takeLine(text), onProgram: () => '' });
  }

  #startTests(): Promise<Interpreter> {
    const onProgram = (text: string) => {
      const reply = this.#askProgram(JSON.parse(text) as object);
      return reply === '' ? '' : `+${reply}`;
    };
    return this.#start({ onLine: () => {}, onProgram });
  }

  async #start(handlers: Pick<InterpreterOptions, 'onLine' | 'onProgram'>): Promise<Interpreter> {
    const interpreter = await Interpreter.start({
      image: this.#image,
      memoryBytes: this.#limits.memoryBytes,
      messageBytes: this.#limits.outputBytes + MESSAGE_MARGIN,
      ...handlers,
    });
    if (this.#image === null) this.#send({ kind: 'image', image: interpreter.image });
    this.#image = interpreter.image;
    return interpreter;
  }
}

function textOf(answer: Answer): string {
  return answer.kind === 'reply' ? answer.text : '';
}

const port = parentPort;
if (port !== null) {
  const thread = new SandboxThread(workerData as WorkerData, (message) => port.postMessage(message));
  port.on('message', (request: WorkerRequest) => {
    // A failure to start an interpreter again ends the thread; the pool starts another.
    void thread.run(request);
  });
  await thread.makeReady();
}
