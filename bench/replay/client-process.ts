import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ClientStart, Counters, FromClient, Protocol, ToClient } from './messages.ts';

const PROGRAMS: Readonly<Record<Protocol, URL>> = {
  native: new URL('./native-client.ts', import.meta.url),
  openrlhf: new URL('./openrlhf-client.ts', import.meta.url),
};

export interface ClientEvents {
  onMessage(message: FromClient): void;
  /** It ended before its work was done, and was not killed by the tool. */
  onLost(why: string): void;
}

/** One agent's trainer, as a process of its own. */
export class ClientProcess {
  readonly #child: ChildProcess;
  counters: Counters | null = null;
  /** Requests that waited for their reply at its last word. */
  open = 0;
  done = false;
  #killed = false;

  constructor(protocol: Protocol, start: ClientStart, events: ClientEvents) {
    this.#child = fork(fileURLToPath(PROGRAMS[protocol]), [JSON.stringify(start)]);
    this.#child.on('message', (message: FromClient) => {
      if (message.kind === 'progress') {
        this.counters = message.counters;
        this.open = message.open;
      }
      if (message.kind === 'done') this.done = true;
      events.onMessage(message);
    });
    this.#child.on('exit', (code, signal) => {
      if (!this.done && !this.#killed) events.onLost(`ended with ${signal ?? `code ${code}`}`);
    });
  }

  tell(message: ToClient): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Ends the process as a crash would, and resolves when it is gone and its last words are read. */
  kill(): Promise<void> {
    this.#killed = true;
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve();
      this.#child.once('close', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }
}
