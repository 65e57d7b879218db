/** JSON text, or raw bytes. */
export type FrameKind = 'json' | 'bytes';

const HEADER_BYTES = 5;
const KINDS: readonly FrameKind[] = ['json', 'bytes'];

/** One message as it stands on a pipe: a byte for its kind, four for its length, then itself. */
export function writeFrame(kind: FrameKind, body: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = KINDS.indexOf(kind);
  header.writeUInt32LE(body.length, 1);
  return Buffer.concat([header, body]);
}

/** The frame of a message as JSON. */
export function writeJson(message: object): Buffer {
  return writeFrame('json', Buffer.from(JSON.stringify(message)));
}

/**
 * Takes a stream apart into its frames. `longest` says how long one of a kind may be now; the first that is longer, or of no
 * kind, is a breach, and everything behind it is dropped: so the other side never makes this one hold more than that.
 */
export class FrameReader {
  readonly #longest: (kind: FrameKind) => number;
  readonly #onFrame: (kind: FrameKind, body: Buffer) => void;
  readonly #onBreach: () => void;
  #chunks: Buffer[] = [];
  #held = 0;
  #isBroken = false;

  constructor(options: {
    readonly longest: (kind: FrameKind) => number;
    readonly onFrame: (kind: FrameKind, body: Buffer) => void;
    readonly onBreach: () => void;
  }) {
    this.#longest = options.longest;
    this.#onFrame = options.onFrame;
    this.#onBreach = options.onBreach;
  }

  take(chunk: Buffer): void {
    if (this.#isBroken) return;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= HEADER_BYTES && !this.#isBroken) {
      if ((this.#chunks[0]?.length ?? 0) < HEADER_BYTES) this.#chunks = [Buffer.concat(this.#chunks)];
      const head = this.#chunks[0] ?? Buffer.alloc(HEADER_BYTES);
      const kind = KINDS[head[0] ?? KINDS.length];
      const length = head.readUInt32LE(1);
      if (kind === undefined || length > this.#longest(kind)) {
        this.#break();
        return;
      }
      if (this.#held < HEADER_BYTES + length) return;
      const all = this.#chunks.length === 1 ? head : Buffer.concat(this.#chunks);
      const rest = all.subarray(HEADER_BYTES + length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#held = rest.length;
      this.#onFrame(kind, all.subarray(HEADER_BYTES, HEADER_BYTES + length));
    }
  }

  #break(): void {
    this.#isBroken = true;
    this.#chunks = [];
    this.#held = 0;
    this.#onBreach();
  }
}
