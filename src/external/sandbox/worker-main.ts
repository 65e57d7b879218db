import type { Worker } from 'node:worker_threads';
import { FrameReader, writeFrame, writeJson } from './frames.ts';
import type { ThreadMessage, WorkerRequest, WorkerStart } from './messages.ts';
import { openWorkerThread } from './worker-thread.ts';

/**
 * The process of one worker. It has two pipes to the server and nothing else. Programs run on a thread of it, so that it
 * notices when the server is gone, whatever a program does.
 */
class WorkerProcessMain {
  #start: WorkerStart | null = null;
  #thread: Worker | null = null;

  take(kind: 'json' | 'bytes', body: Buffer): void {
    if (this.#thread !== null) {
      this.#thread.postMessage(JSON.parse(body.toString()) as WorkerRequest);
      return;
    }
    if (this.#start === null) {
      this.#start = JSON.parse(body.toString()) as WorkerStart;
      if (this.#start.entry !== null) return;
    }
    const { limits, entry } = this.#start;
    if (entry === null || kind !== 'bytes') {
      this.#open({ limits, image: null });
      return;
    }
    const bytes = new Uint8Array(new SharedArrayBuffer(body.length));
    bytes.set(body);
    this.#open({ limits, image: { bytes, entry } });
  }

  #open(data: Parameters<typeof openWorkerThread>[0]): void {
    const thread = openWorkerThread(data);
    this.#thread = thread;
    thread.on('message', (message: ThreadMessage) => {
      if (message.kind !== 'image') {
        process.stdout.write(writeJson(message));
        return;
      }
      process.stdout.write(writeJson({ kind: 'image', entry: message.image.entry }));
      process.stdout.write(writeFrame('bytes', message.image.bytes));
    });
    thread.on('error', () => {});
    thread.on('exit', () => process.stdin.destroy());
  }

  /** Whoever runs without a server runs for nobody. */
  end(): void {
    if (this.#thread === null) process.stdin.destroy();
    else void this.#thread.terminate();
  }
}

const main = new WorkerProcessMain();
const frames = new FrameReader({
  longest: () => Number.POSITIVE_INFINITY,
  onFrame: (kind, body) => main.take(kind, body),
  onBreach: () => main.end(),
});
// Signals of a terminal reach it with the server; it ends when the server closes its pipe.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
process.stdout.on('error', () => main.end());
process.stdin.on('data', (chunk: Buffer) => frames.take(chunk));
process.stdin.on('end', () => main.end());
process.stdin.on('error', () => main.end());
