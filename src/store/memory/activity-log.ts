import type { AgentName } from '../../domain/cohort.ts';
import { NO_TRAIL, noteStep, type StepTrail } from '../../domain/step-trail.ts';
import type { AgentActivity, BucketRef, Registration } from '../store.ts';

const RECENT_PROMPTS = 256;
const KNOWN_INCARNATIONS = 64;

/** What one agent's trainer has done lately: bounded, whatever the trainer does. */
export class ActivityLog {
  /** Oldest first; the last one speaks. */
  readonly #incarnations: string[] = [];
  /** In order of the last word on them; keyed, so that calls of one sample each do not fill it. */
  readonly #recent = new Map<string, BucketRef>();
  #rollouts = 0;
  #trail: StepTrail = NO_TRAIL;
  #lastArrivalAt: number | null = null;
  finished = false;

  get incarnation(): string | null {
    return this.#incarnations.at(-1) ?? null;
  }

  register(incarnation: string | null): Registration {
    const latest = this.incarnation;
    if (incarnation === null || incarnation === latest) return { kind: 'current' };
    if (latest !== null && this.#incarnations.includes(incarnation)) return { kind: 'stale', latest };
    this.#incarnations.push(incarnation);
    if (this.#incarnations.length > KNOWN_INCARNATIONS) this.#incarnations.shift();
    return { kind: 'new', previous: latest };
  }

  /** `sent`: the step of the new rollouts, and who speaks. */
  record(ref: BucketRef, newRollouts: number, now: number, sent: Omit<StepTrail, 'rewind'> = NO_TRAIL): void {
    this.#lastArrivalAt = now;
    this.#rollouts += newRollouts;
    if (newRollouts > 0) this.#trail = noteStep(this.#trail, sent, now);
    const key = `${ref.round}:${ref.promptId}`;
    this.#recent.delete(key);
    this.#recent.set(key, { promptId: ref.promptId, round: ref.round });
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= RECENT_PROMPTS) break;
      this.#recent.delete(oldest);
    }
  }

  read(agent: AgentName): AgentActivity {
    return {
      agent,
      incarnation: this.incarnation,
      finished: this.finished,
      lastArrivalAt: this.#lastArrivalAt,
      rollouts: this.#rollouts,
      recentPrompts: [...this.#recent.values()],
      trail: this.#trail,
    };
  }
}
