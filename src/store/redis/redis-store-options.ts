import type { ConnectionObserver } from './connection.ts';
import type { RedisTarget } from './target.ts';

export interface RedisStoreOptions {
  readonly target: RedisTarget;
  /** Starts every key; free of braces. */
  readonly prefix: string;
  readonly observer: ConnectionObserver;
  /** Tests only: a time in milliseconds that the scripts take for the server's. */
  readonly now?: () => number;
}
