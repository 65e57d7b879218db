import type { Sample } from '../domain/sample.ts';

/** Completions for people to read: the latest of each agent (`samplesPerAgent`), for a day after its last one. */
export interface SampleStore {
  /** Nothing without such a cohort; those of agents that it does not have are dropped. */
  add(cohort: string, samples: readonly Sample[]): Promise<void>;
  /** Agent by agent in the order of the cohort, the latest last. */
  read(cohort: string): Promise<readonly Sample[]>;
}
