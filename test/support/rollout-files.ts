import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Terminal } from '../../src/cli/score/score.ts';

/** One agent's answers to one prompt, in the order of the rollouts; null has no box. */
export interface Answered {
  readonly prompt: string;
  readonly agent: string;
  readonly answers: readonly (string | null)[];
  readonly gold?: string;
  readonly round?: number;
}

/** Lines as our own rollout files have them. */
export function toLines(groups: readonly Answered[]): string {
  return groups
    .flatMap(({ prompt, agent, answers, gold, round = 0 }) =>
      answers.map((answer, k) =>
        JSON.stringify({
          prompt_id: prompt,
          agent,
          round,
          k,
          ...(gold !== undefined && { gold }),
          completion: answer === null ? 'I do not know' : `so it is \\boxed{${answer}}`,
        }),
      ),
    )
    .join('\n');
}

/** A folder of its own for files of rollouts. */
export class RolloutFolder {
  readonly #path: Promise<string> = mkdtemp(join(tmpdir(), 'peervote-rollouts-'));

  async path(name: string): Promise<string> {
    return join(await this.#path, name);
  }

  /** Packed where the name ends in `.gz`. */
  async write(name: string, text: string): Promise<string> {
    const path = await this.path(name);
    await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  }

  async remove(): Promise<void> {
    await rm(await this.#path, { recursive: true });
  }
}

/** A terminal that keeps what is said to it. */
export function testTerminal(stdin = ''): Terminal & { readonly out: string[]; readonly errors: string[] } {
  const out: string[] = [];
  const errors: string[] = [];
  return {
    out,
    errors,
    stdin: Readable.from([Buffer.from(stdin)]),
    progress: () => ({ read: () => {}, end: () => {} }),
    print: (text) => out.push(text),
    complain: (text) => errors.push(text),
  };
}
