import type { Cohort } from '../../domain/cohort.ts';
import { UnreadableValueError } from './checked-list.ts';
import type { CohortDirectory } from './cohort-directory.ts';
import { type KnownCohort, settingsOf } from './known-cohort.ts';

/** A bucket that another replica opened under settings that this one has not heard of. */
export class UnknownEditionError extends UnreadableValueError {}

/** The settings that the buckets of Redis began under. */
export class Editions {
  readonly #directory: CohortDirectory;

  constructor(directory: CohortDirectory) {
    this.#directory = directory;
  }

  /** Throws {@link UnknownEditionError} for one that is later than is known here. */
  find(known: KnownCohort, edition: number): Cohort {
    const latest = this.#directory.latest(known.cohort.name);
    const settings = settingsOf(latest?.generation === known.generation ? latest : known, edition);
    if (settings === null) throw new UnknownEditionError(`settings of edition ${edition} are not known`);
    return settings;
  }

  /** Looks for those that were put there since. */
  async refresh(): Promise<void> {
    this.#directory.expire();
    await this.#directory.all();
  }
}
