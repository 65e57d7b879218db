import { SAMPLES_TTL_MS, type Sample, samplesPerAgent } from '../../domain/sample.ts';
import type { SampleStore } from '../sample-store.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { UnreadableValueError } from './checked-list.ts';
import type { KnownCohort } from './known-cohort.ts';

/** Completions that one script adds. */
const SLICE = 32;

/** The completions that are kept of cohorts: a sorted set for each agent. */
export class Samples implements SampleStore {
  readonly #caller: Caller;
  readonly #find: (cohort: string) => Promise<KnownCohort | null>;

  constructor(caller: Caller, find: (cohort: string) => Promise<KnownCohort | null>) {
    this.#caller = caller;
    this.#find = find;
  }

  async add(name: string, samples: readonly Sample[]): Promise<void> {
    const known = await this.#find(name);
    if (known === null) return;
    const { keys, cohort } = known;
    const limits = [SAMPLES_TTL_MS, samplesPerAgent(cohort.agents.length)];
    await Promise.all(
      cohort.agents.map(async (each) => {
        const own = samples
          .filter(({ agent }) => agent === each.name)
          .map((sample) => JSON.stringify(sample));
        // One after another: a script that a server does not know yet is sent again, and would come after the next.
        for (let at = 0; at < own.length; at += SLICE) {
          const slice = own.slice(at, at + SLICE);
          await runOne(
            this.#caller,
            callScript('samplesAdd', [keys.samples(each.name)], [...limits, ...slice]),
          );
        }
      }),
    );
  }

  async read(name: string): Promise<readonly Sample[]> {
    const known = await this.#find(name);
    if (known === null) return [];
    const { keys, cohort } = known;
    const lists = await Promise.all(
      cohort.agents.map(async ({ name }) => {
        const place = keys.samples(name);
        const list = await runOne(this.#caller, { name: 'zrange', args: [place, 0, -1] });
        return readAs(this.#caller, place, () => (list as readonly string[]).map(decode));
      }),
    );
    return lists.flat();
  }
}

/** Our own code wrote it, so only its outline is checked. */
function decode(raw: string): Sample {
  try {
    const sample: unknown = JSON.parse(raw);
    if (typeof sample === 'object' && sample !== null && 'text' in sample && 'promptId' in sample) {
      return sample as Sample;
    }
  } catch (error) {
    throw new UnreadableValueError('a completion is not JSON', { cause: error });
  }
  throw new UnreadableValueError('a completion has an unknown format');
}
