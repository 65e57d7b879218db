import type { KeptPrompt } from '../../domain/kept-prompt.ts';
import { type Caller, readAs } from './call.ts';
import { type Editions, UnknownEditionError } from './editions.ts';
import { idOf, shardOf } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import { readVersioned } from './tokens.ts';
import { unpackPrompt } from './unpack-prompt.ts';

/** A prompt as it was read: null if there is none, and its token, which is empty then. */
export interface ReadPrompt {
  readonly token: string;
  readonly kept: KeptPrompt | null;
  /** Milliseconds of the server's clock when it was read. */
  readonly now: number;
}

/** What a script replied for the key of a prompt. */
export interface PromptReply {
  readonly value: unknown;
  readonly now: number;
}

/** Makes prompts of what scripts reply. */
export class PromptReader {
  readonly #caller: Caller;
  readonly #editions: Editions;

  constructor(caller: Caller, editions: Editions) {
    this.#caller = caller;
    this.#editions = editions;
  }

  /** At once, unless the settings that it goes by have to be looked for. Throws ServiceError `unreadable_data`. */
  read(
    known: KnownCohort,
    member: string,
    { value: reply, now }: PromptReply,
  ): ReadPrompt | Promise<ReadPrompt> {
    const settingsOf = (edition: number) => this.#editions.find(known, edition);
    const read = () => {
      const { token, value } = readVersioned(reply);
      return { token, kept: value === null ? null : unpackPrompt(idOf(member), value, settingsOf), now };
    };
    const readOrTell = (first: () => ReadPrompt) =>
      readAs(this.#caller, shardOf(known.keys, member).prompt(member), first);
    try {
      return read();
    } catch (error) {
      if (error instanceof UnknownEditionError) return this.#editions.refresh().then(() => readOrTell(read));
      return readOrTell(() => {
        throw error;
      });
    }
  }
}
