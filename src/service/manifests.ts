import type { Manifest } from '../domain/manifest.ts';
import type { Store } from '../store/store.ts';
import type { Cohorts } from './cohorts.ts';

/** The manifests of the cohorts. Reading one again is cheap: the store is asked only whether it changed. */
export class Manifests {
  readonly #store: Store;
  readonly #cohorts: Cohorts;
  readonly #known = new Map<string, Manifest>();

  constructor(store: Store, cohorts: Cohorts) {
    this.#store = store;
    this.#cohorts = cohorts;
  }

  /** Null forgets it. Throws `unknown_cohort`. */
  async put(cohort: string, manifest: Manifest | null): Promise<void> {
    await this.#cohorts.get(cohort);
    await this.#store.putManifest(cohort, manifest);
  }

  /** The same object until it changes; null when the cohort has none. */
  async get(cohort: string): Promise<Manifest | null> {
    const known = this.#known.get(cohort);
    const read = await this.#store.getManifest(cohort, known?.version ?? null);
    if (read === 'unchanged') return known ?? null;
    if (read === null) this.#known.delete(cohort);
    else this.#known.set(cohort, read);
    return read;
  }
}
