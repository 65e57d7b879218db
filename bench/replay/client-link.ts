import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Reply, type SendOptions, send } from '../support/http.ts';
import type { ClientStart, Counters, FromClient, Rewarded, ToClient } from './messages.ts';
import { groupName, groupRollouts, type Rollout, readRollouts } from './rollouts.ts';

/** How long a client waits before it repeats a request, as OpenRLHF does. */
const RETRY_AFTER_MS = 1000;

/** What every client process does, whatever its protocol: its part of the file, and its word to the tool. */
export class ClientLink {
  readonly start: ClientStart;
  readonly counters: Counters = {
    posts: 0,
    sent: 0,
    polls: 0,
    pending: 0,
    unavailable: 0,
    aborts: 0,
    broken: 0,
    mostTries: 0,
  };
  #open = 0;

  constructor() {
    this.start = JSON.parse(argv[2] ?? '{}');
    // The tool is gone: nobody counts any more.
    process.once('disconnect', () => process.exit(1));
  }

  /** The rollouts that this process has to send, in the order of the file. */
  readRollouts(): Rollout[] {
    const { file, agent, acknowledged, wholeGroups } = this.start;
    const known = new Set(acknowledged);
    const own = readRollouts(file).rollouts.filter((rollout) => rollout.agent === agent);
    const left = own.filter(({ name }) => !known.has(name));
    if (!wholeGroups) return left;
    const groups = groupRollouts(left);
    return own.filter((rollout) => groups.has(groupName(rollout)));
  }

  onMessage(listener: (message: ToClient) => void): void {
    process.on('message', listener);
  }

  /** Tells which rewards came, if any, and how far the client is. */
  report(rewards: readonly Rewarded[]): void {
    this.tell({ kind: 'progress', rewards, open: this.#open, counters: this.counters });
  }

  tell(message: FromClient): void {
    process.send?.(message);
  }

  /** Ends the process once the tool has the last message. */
  finish(): void {
    this.report([]);
    process.send?.({ kind: 'done' } satisfies FromClient, () => process.exit(0));
  }

  /** One request, counted while it is open; a connection that breaks is null. */
  async request(options: Omit<SendOptions, 'url'> & { readonly path: string }): Promise<Reply | null> {
    this.#open += 1;
    this.report([]);
    try {
      return await send({ ...options, url: `${this.start.url}${options.path}` });
    } catch {
      return null;
    } finally {
      this.#open -= 1;
    }
  }

  /** Waits before a repeated request. */
  pause(): Promise<void> {
    return delay(RETRY_AFTER_MS);
  }

  fault(what: string, reply?: Reply): void {
    const answer = reply === undefined ? '' : `: ${reply.status} ${reply.text.slice(0, 500)}`;
    this.tell({ kind: 'fault', text: `${this.start.agent}: ${what}${answer}` });
  }
}
