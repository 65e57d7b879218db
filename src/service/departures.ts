import type { SubmissionInput } from './submission.ts';

interface Recording {
  readonly gone: AbortSignal;
  readonly done: Promise<void>;
}

/**
 * Callers that may leave while their rollouts are still being stored. A retry of rollouts without id has to come after
 * its predecessor was stored and given back: before that, it would be taken for other rollouts with the same text.
 */
export class Departures {
  readonly #recordings = new Map<string, Set<Recording>>();

  /** Runs `record` after the recordings of the same prompts whose callers have left. */
  async inTurn<T>(input: SubmissionInput, gone: AbortSignal | null, record: () => Promise<T>): Promise<T> {
    const keys = keysOf(input);
    if (keys.length === 0) return record();
    for (let left = this.#leftOn(keys); left.length > 0; left = this.#leftOn(keys)) await Promise.all(left);
    if (gone === null) return record();
    const work = record();
    const recording = { gone, done: work.then(ignore, ignore) };
    for (const key of keys) this.#add(key, recording);
    try {
      return await work;
    } finally {
      for (const key of keys) this.#remove(key, recording);
    }
  }

  /** Resolves once the recordings of all callers who have left are over. */
  async settled(): Promise<void> {
    await Promise.all(this.#leftOn(this.#recordings.keys()));
  }

  #leftOn(keys: Iterable<string>): Promise<void>[] {
    return [...keys].flatMap((key) =>
      [...(this.#recordings.get(key) ?? [])].filter(({ gone }) => gone.aborted).map(({ done }) => done),
    );
  }

  #add(key: string, recording: Recording): void {
    const recordings = this.#recordings.get(key);
    if (recordings === undefined) this.#recordings.set(key, new Set([recording]));
    else recordings.add(recording);
  }

  #remove(key: string, recording: Recording): void {
    const recordings = this.#recordings.get(key);
    recordings?.delete(recording);
    if (recordings?.size === 0) this.#recordings.delete(key);
  }
}

/** One per prompt with rollouts that only their text tells apart. */
function keysOf({ cohort, agent, submissionId, groups }: SubmissionInput): string[] {
  if (submissionId !== null) return [];
  const prompts = groups.filter(({ rollouts }) =>
    rollouts.some(({ id, index }) => id === null && index === null),
  );
  return [...new Set(prompts.map(({ promptId }) => `${cohort}/${agent}/${promptId}`))];
}

function ignore(): void {}
