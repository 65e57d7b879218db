import type { AgentName } from '../../domain/cohort.ts';
import type { SubmissionRecord } from '../store.ts';

interface Kept {
  readonly record: SubmissionRecord;
  readonly expiresAt: number;
}

/** Submissions by agent and id, each until its time is over. */
export class SubmissionShelf {
  /** In order of their last put, and so, with one retention per cohort, in order of expiry. */
  readonly #kept = new Map<string, Kept>();

  put(id: string, record: SubmissionRecord, expiresAt: number): void {
    const key = keyOf(record.agent, id);
    this.#kept.delete(key);
    this.#kept.set(key, { record, expiresAt });
  }

  get(agent: AgentName, id: string): SubmissionRecord | null {
    return this.#kept.get(keyOf(agent, id))?.record ?? null;
  }

  dropExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#kept) {
      if (expiresAt > now) return;
      this.#kept.delete(key);
    }
  }
}

function keyOf(agent: AgentName, id: string): string {
  return `${agent}\u0000${id}`;
}
