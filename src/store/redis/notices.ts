import { Redis } from 'ioredis';
import type { Notice } from '../store.ts';
import { type Client, closeClient, createClient } from './clients.ts';
import type { RedisTarget } from './target.ts';
import { unavailable } from './unavailable.ts';

export interface NoticesOptions {
  readonly target: RedisTarget;
  /** Matches the channels of all cohorts, where one subscription may cover several. */
  readonly pattern: string;
  /** Channels that are always listened to: those that the pattern does not match, and, on a cluster, all others. */
  readonly channels: readonly string[];
  readonly onMessage: (message: NoticeMessage) => void;
  /** The channel of this replica alone, and what hears what comes on it. */
  readonly mailbox: string;
  readonly onMail: (text: string) => void;
  /** Notices may have been missed: called each time that the subscription is there again. */
  readonly onReady: () => void;
}

/** What travels on a channel: who sent it, and what changed. */
export interface NoticeMessage {
  readonly origin: string;
  readonly notices: readonly Notice[];
}

const PING_EVERY_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;
/** When a subscription that was refused is tried again: the right may be given meanwhile. */
const REFUSED_RETRY_MS = 2_000;

/**
 * The connection that hears what other replicas changed. It may lose any message, so nothing may depend on it but how
 * soon somebody looks again.
 */
export class Notices {
  readonly #client: Client;
  readonly #options: NoticesOptions;
  readonly #channels: Set<string>;
  readonly #pinging: NodeJS.Timeout;
  #refusal: Error | null = null;
  #retrying: NodeJS.Timeout | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
    this.#channels = new Set([...options.channels, options.mailbox]);
    this.#client = createClient(options.target, 'notices');
    // Without a listener an error would end the process; commands tell of the same trouble.
    this.#client.on('error', () => undefined);
    this.#client.on('pmessage', (_pattern: string, _channel: string, text: string) => this.#hear(text));
    this.#client.on('message', (channel: string, text: string) => this.#takeMail(channel, text));
    this.#client.on('smessage', (channel: string, text: string) => {
      if (!this.#takeMail(channel, text)) this.#hear(text);
    });
    this.#client.on('ready', () => void this.#subscribe());
    this.#pinging = setInterval(() => void this.#ping(), PING_EVERY_MS);
    this.#pinging.unref();
  }

  /** Listens to these channels too. On a cluster each lies on a node of its own; elsewhere the pattern covers them. */
  watch(channels: readonly string[]): void {
    for (const channel of channels) {
      if (this.#channels.has(channel)) continue;
      this.#channels.add(channel);
      if (!(this.#client instanceof Redis)) this.#follow(channel).catch(() => undefined);
    }
  }

  unwatch(channels: readonly string[]): void {
    for (const channel of channels) {
      if (!this.#channels.delete(channel) || this.#client instanceof Redis) continue;
      this.#client.sunsubscribe(channel).catch(() => undefined);
    }
  }

  /** Throws ServiceError `store_unavailable` where Redis does not let this server listen, which no reconnecting mends. */
  assertTaken(): void {
    if (this.#refusal !== null) throw unavailable(this.#refusal);
  }

  close(): void {
    clearInterval(this.#pinging);
    clearTimeout(this.#retrying);
    closeClient(this.#client);
  }

  async #subscribe(): Promise<void> {
    try {
      if (this.#client instanceof Redis) {
        await this.#client.psubscribe(this.#options.pattern);
        await this.#client.subscribe(...this.#channels);
      } else await Promise.all([...this.#channels].map((channel) => this.#follow(channel)));
      this.#refusal = null;
      this.#options.onReady();
    } catch (error) {
      if (this.#isRefused(error)) this.#retrying = setTimeout(() => void this.#subscribe(), REFUSED_RETRY_MS);
      else if (this.#client.status === 'ready' && this.#client instanceof Redis)
        this.#client.disconnect(true);
    }
  }

  #isRefused(error: unknown): error is Error {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) return false;
    this.#refusal = error;
    return true;
  }

  /** One channel of a cluster; who could not be followed now is followed when the cluster is ready again. */
  async #follow(channel: string): Promise<void> {
    try {
      await this.#client.ssubscribe(channel);
    } catch (error) {
      // Of anything else the timer of those who wait takes care meanwhile.
      if (this.#isRefused(error)) throw error;
    }
  }

  /** A connection that was cut without a word looks like one on which nothing happens. */
  async #ping(): Promise<void> {
    const client = this.#client;
    if (!(client instanceof Redis) || client.status !== 'ready') return;
    const timer = setTimeout(() => client.disconnect(true), PING_TIMEOUT_MS);
    try {
      await client.ping();
    } catch {
      // The timer, or the client itself, connects again.
    } finally {
      clearTimeout(timer);
    }
  }

  /** False: it is not for this replica alone. Elsewhere than on a cluster all else comes by the pattern. */
  #takeMail(channel: string, text: string): boolean {
    const { mailbox, onMail } = this.#options;
    if (channel === mailbox) onMail(text);
    return channel === mailbox;
  }

  #hear(text: string): void {
    const message = readMessage(text);
    if (message !== null) this.#options.onMessage(message);
  }
}

/** A message as {@link encodeNotice} and the scripts wrote it; null for anything else. */
export function readMessage(text: string): NoticeMessage | null {
  try {
    const [origin, ...parts]: unknown[] = JSON.parse(text);
    const notices = parts.map(readNotice).filter((notice) => notice !== null);
    return typeof origin === 'string' ? { origin, notices } : null;
  } catch {
    return null;
  }
}

/** One notice as it stands in a message after its origin. */
export function encodeNotice(notice: Exclude<Notice, { readonly kind: 'gap' }>): string {
  switch (notice.kind) {
    case 'decided':
      return JSON.stringify(['decided', notice.cohort, notice.ref.promptId, notice.ref.round]);
    case 'restarted':
      return JSON.stringify(['restarted', notice.cohort, notice.agent, notice.incarnation]);
    case 'deleted':
      return JSON.stringify(['deleted', notice.cohort]);
  }
}

function readNotice(part: unknown): Notice | null {
  if (!Array.isArray(part)) return null;
  const [kind, cohort, third, fourth]: unknown[] = part;
  if (typeof cohort !== 'string') return null;
  if (kind === 'deleted') return { kind, cohort };
  if (typeof third !== 'string') return null;
  if (kind === 'decided' && typeof fourth === 'number') {
    return { kind, cohort, ref: { promptId: third, round: fourth } };
  }
  if (kind === 'restarted' && typeof fourth === 'string') {
    return { kind, cohort, agent: third, incarnation: fourth };
  }
  return null;
}
