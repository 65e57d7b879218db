import { ServiceError } from '../../src/domain/errors.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';

/** The embedded store behind a connection that may be cut: while it is away, what goes through it fails. */
export class AwayStore extends MemoryStore {
  isAway = false;
  /** What calls fail with instead. */
  fault: Error | null = null;
  /** Releases that reached the store, as `holder prompt/round,…`. */
  readonly released: string[] = [];
  /** Buckets that were read, call by call. */
  readonly reads: (readonly string[])[] = [];

  override async register(...args: Parameters<MemoryStore['register']>) {
    this.#pass();
    return super.register(...args);
  }

  override async submit(...args: Parameters<MemoryStore['submit']>) {
    this.#pass();
    return super.submit(...args);
  }

  override async release(...args: Parameters<MemoryStore['release']>) {
    this.#pass();
    const [, , holder, held] = args;
    this.released.push(`${holder} ${held.map(({ promptId, round }) => `${promptId}/${round}`).join()}`);
    return super.release(...args);
  }

  override async readBuckets(...args: Parameters<MemoryStore['readBuckets']>) {
    this.#pass();
    this.reads.push(args[1].map(({ promptId }) => promptId));
    return super.readBuckets(...args);
  }

  #pass(): void {
    if (this.fault !== null) throw this.fault;
    if (this.isAway) throw new ServiceError('store_unavailable', 'The store of this test is away.');
  }
}
