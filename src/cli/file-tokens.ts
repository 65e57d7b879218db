import { readFileSync } from 'node:fs';
import { parseTokens, type Token } from '../config/tokens-schema.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../service/telemetry.ts';

/** How late a changed file may be noticed. Kubernetes itself takes up to a minute to bring a changed Secret. */
const LOOK_EVERY_MS = 5_000;

/** The tokens of a server, which a changed file replaces without a restart. */
export class FileTokens {
  readonly #path: string;
  readonly #parts: { readonly clock: Clock; readonly logger: Logger };
  #text: string;
  #tokens: readonly Token[];
  #stopTimer: () => void = () => {};

  /** Throws when the file cannot be read or taken: a server must not start with other doors than it was told. */
  constructor(path: string, parts: { readonly clock: Clock; readonly logger: Logger }) {
    this.#path = path;
    this.#parts = parts;
    this.#text = readFileSync(path, 'utf8');
    const parsed = parseTokens(this.#text);
    if (!parsed.ok) throw new Error(`${path}: ${parsed.problems.join(' ')}`);
    this.#tokens = parsed.tokens;
    this.#schedule();
  }

  current(): readonly Token[] {
    return this.#tokens;
  }

  stop(): void {
    this.#stopTimer();
  }

  #schedule(): void {
    this.#stopTimer = this.#parts.clock.setTimer(LOOK_EVERY_MS, () => {
      this.#look();
      this.#schedule();
    });
  }

  /** A file that went wrong leaves the tokens as they are. */
  #look(): void {
    const { logger } = this.#parts;
    try {
      const text = readFileSync(this.#path, 'utf8');
      if (text === this.#text) return;
      this.#text = text;
      const parsed = parseTokens(text);
      if (!parsed.ok) throw new Error(parsed.problems.join(' '));
      this.#tokens = parsed.tokens;
      logger.info({ tokens: parsed.tokens.length }, 'The file of tokens has changed and is in force.');
    } catch (error) {
      logger.error({ err: error }, 'The file of tokens cannot be taken: those from before stay in force.');
    }
  }
}
