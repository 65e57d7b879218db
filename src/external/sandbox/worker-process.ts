import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FrameReader, writeFrame, writeJson } from './frames.ts';
import type { Image } from './interpreter.ts';
import {
  MESSAGE_MARGIN,
  readMessage,
  type WorkerData,
  type WorkerMessage,
  type WorkerRequest,
} from './messages.ts';
import { type Walls, wallIn } from './walls.ts';

/** As large as the memory of an interpreter that has just started may be. */
const MOST_IMAGE_BYTES = 128 * 1_048_576;
/** JSON of a byte that is no letter. */
const ESCAPED = 6;
const HEAP_MEBIBYTES = 64;

export interface WorkerEvents {
  readonly onMessage: (message: Exclude<WorkerMessage, { kind: 'image' }>) => void;
  readonly onImage: (image: Image) => void;
  /** It is gone, or said what no worker says; called once. */
  readonly onEnd: (error: Error) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A process that runs programs: without environment, and with nothing open but the two pipes to this one. */
export class WorkerProcess {
  readonly walls: Walls;
  readonly #child: Child;
  readonly #events: WorkerEvents;
  readonly #exited: Promise<void>;
  #imageEntry: number | null = null;
  #maySendImage: boolean;
  #isOver = false;

  constructor({ limits, image }: WorkerData, events: WorkerEvents) {
    this.#events = events;
    this.#maySendImage = image === null;
    const { child, walls } = openChild();
    this.#child = child;
    this.walls = walls;
    const longestJson = ESCAPED * (limits.outputBytes + MESSAGE_MARGIN);
    const frames = new FrameReader({
      longest: (kind) => (kind === 'json' ? longestJson : this.#imageEntry === null ? -1 : MOST_IMAGE_BYTES),
      onFrame: (kind, body) => (kind === 'json' ? this.#take(body.toString()) : this.#takeImage(body)),
      onBreach: () => this.#end(new Error('The worker sent too long a message.')),
    });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#isOver) frames.take(chunk);
    });
    this.#child.on('error', (error) => this.#end(error));
    this.#child.stdin.on('error', () => {});
    this.#exited = new Promise((resolve) => {
      this.#child.on('error', () => resolve());
      this.#child.on('exit', (code, signal) => {
        resolve();
        this.#end(new Error(`The worker left: ${signal ?? `exit code ${code}`}.`));
      });
    });
    this.#child.stdin.write(writeJson({ limits, entry: image?.entry ?? null }));
    if (image !== null) this.#child.stdin.write(writeFrame('bytes', image.bytes));
  }

  /** While a job runs it keeps this process alive, otherwise not. */
  hold(isBusy: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const part of [this.#child, stdin, stdout] as unknown as { ref(): void; unref(): void }[]) {
      if (isBusy) part.ref();
      else part.unref();
    }
  }

  send(request: WorkerRequest): void {
    this.#child.stdin.write(writeJson(request));
  }

  /** Ends it at once, whatever it does; resolves when it is gone. */
  kill(): Promise<void> {
    this.#isOver = true;
    // Whoever waits for its end must live to see it: an idle worker keeps nobody alive.
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.ref();
    this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    return this.#exited;
  }

  #take(text: string): void {
    if (this.#isOver) return;
    const message = readMessage(text);
    if (message === null) {
      this.#end(new Error('The worker sent what is no message.'));
    } else if (message.kind !== 'image') {
      // Whoever has been ready has sent its image, or needed none: none comes after a program.
      this.#maySendImage = false;
      this.#events.onMessage(message);
    } else if (this.#maySendImage) {
      this.#maySendImage = false;
      this.#imageEntry = message.entry;
    } else {
      this.#end(new Error('The worker sent an image that nobody asked for.'));
    }
  }

  #takeImage(bytes: Buffer): void {
    const entry = this.#imageEntry;
    this.#imageEntry = null;
    if (entry !== null && !this.#isOver) this.#events.onImage({ bytes: Uint8Array.from(bytes), entry });
  }

  #end(error: Error): void {
    if (this.#isOver) return;
    void this.kill();
    this.#events.onEnd(error);
  }
}

function openChild(): { readonly child: Child; readonly walls: Walls } {
  // From the sources Node has to write what it compiles.
  const hasLimits = !import.meta.url.endsWith('.ts');
  const own = hasLimits ? builtCommand() : { command: sourceCommand(), permissions: false };
  const { command, walls } = wallIn(own.command, { hasLimits, permissions: own.permissions });
  const [file, ...args] = command;
  const child = spawn(file ?? process.execPath, args, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return { child, walls };
}

/** Node may read our files and Pyodide's there, and start threads: write nothing, start no process, load no addon. */
function builtCommand(): { readonly command: string[]; readonly permissions: boolean } {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const known = process.allowedNodeEnvironmentFlags;
  const flag = ['--permission', '--experimental-permission'].find((name) => known.has(name));
  const walls = flag === undefined ? [] : [flag, '--allow-worker', ...readable([here, pyodide])];
  const main = fileURLToPath(new URL('worker-main.js', import.meta.url));
  return { command: [process.execPath, ...heap(), ...walls, main], permissions: flag !== undefined };
}

function readable(folders: readonly string[]): string[] {
  return folders.map((folder) => `--allow-fs-read=${folder.replace(/[\\/]?$/, '/*')}`);
}

function heap(): string[] {
  return [`--max-old-space-size=${HEAP_MEBIBYTES}`, '--no-warnings'];
}

/** From the sources, in tests and in development, Node has to learn TypeScript first. */
function sourceCommand(): string[] {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  return [
    process.execPath,
    ...heap(),
    '--import',
    tsx,
    fileURLToPath(new URL('worker-main.ts', import.meta.url)),
  ];
}
