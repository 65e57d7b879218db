import type { Clock } from '../../domain/clock.ts';
import type { AgentName } from '../../domain/cohort.ts';
import { SAMPLES_TTL_MS, type Sample, samplesPerAgent } from '../../domain/sample.ts';
import type { SampleStore } from '../sample-store.ts';
import type { CohortShelf } from './cohort-shelf.ts';

interface Kept {
  readonly samples: readonly Sample[];
  readonly expiresAt: number;
}

/** The completions that are kept of cohorts, by agent; they go with their cohort. */
export class SampleShelf implements SampleStore {
  readonly #clock: Clock;
  readonly #find: (cohort: string) => CohortShelf | undefined;
  readonly #kept = new WeakMap<CohortShelf, Map<AgentName, Kept>>();

  constructor(clock: Clock, find: (cohort: string) => CohortShelf | undefined) {
    this.#clock = clock;
    this.#find = find;
  }

  async add(name: string, samples: readonly Sample[]): Promise<void> {
    const shelf = this.#find(name);
    if (shelf === undefined) return;
    const { agents } = shelf.cohort;
    const now = this.#clock.now();
    const kept = this.#kept.get(shelf) ?? new Map<AgentName, Kept>();
    for (const { name: agent } of agents) {
      const own = samples.filter((sample) => sample.agent === agent);
      if (own.length === 0) continue;
      const all = [...live(kept.get(agent), now), ...own].slice(-samplesPerAgent(agents.length));
      kept.set(agent, { samples: all, expiresAt: now + SAMPLES_TTL_MS });
    }
    this.#kept.set(shelf, kept);
  }

  async read(name: string): Promise<readonly Sample[]> {
    const shelf = this.#find(name);
    const kept = shelf && this.#kept.get(shelf);
    if (kept === undefined) return [];
    return shelf?.cohort.agents.flatMap((agent) => live(kept.get(agent.name), this.#clock.now())) ?? [];
  }
}

function live(kept: Kept | undefined, now: number): readonly Sample[] {
  return kept === undefined || kept.expiresAt <= now ? [] : kept.samples;
}
