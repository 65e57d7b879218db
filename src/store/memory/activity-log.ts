import type { AgentName } from '../../domain/cohort.ts';
import type { AgentActivity, BucketRef, Registration } from '../store.ts';

const RECENT_PROMPTS = 256;
const KNOWN_INCARNATIONS = 64;

/** What one agent's trainer has done lately: bounded, whatever the trainer does. */
export class ActivityLog {
  /** Oldest first; the last one speaks. */
  readonly #incarnations: string[] = [];
  readonly #recent: BucketRef[] = [];
  #rollouts = 0;
  #lastArrivalAt: number | null = null;
  finished = false;

  register(incarnation: string | null): Registration {
    const latest = this.#incarnations.at(-1) ?? null;
    if (incarnation === null || incarnation === latest) return { kind: 'current' };
    if (latest !== null && this.#incarnations.includes(incarnation)) return { kind: 'stale', latest };
    this.#incarnations.push(incarnation);
    if (this.#incarnations.length > KNOWN_INCARNATIONS) this.#incarnations.shift();
    return { kind: 'new', previous: latest };
  }

  record(ref: BucketRef, newRollouts: number, now: number): void {
    this.#lastArrivalAt = now;
    this.#rollouts += newRollouts;
    const last = this.#recent.at(-1);
    if (last?.promptId === ref.promptId && last.round === ref.round) return;
    this.#recent.push({ promptId: ref.promptId, round: ref.round });
    if (this.#recent.length > RECENT_PROMPTS) this.#recent.shift();
  }

  read(agent: AgentName): AgentActivity {
    return {
      agent,
      incarnation: this.#incarnations.at(-1) ?? null,
      finished: this.finished,
      lastArrivalAt: this.#lastArrivalAt,
      rollouts: this.#rollouts,
      recentPrompts: [...this.#recent],
    };
  }
}
