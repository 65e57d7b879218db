import { type Agent, type Cohort, findAgent } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Store } from '../store/store.ts';
import type { Telemetry } from './telemetry.ts';

/** The cohorts that this server knows, and who may take part in them. */
export class Cohorts {
  readonly #store: Store;
  readonly #telemetry: Telemetry;
  readonly #limit: number;
  /** Of the configuration, and not made yet, since the store was away. */
  readonly #awaited = new Set<string>();

  /** `limit` bounds how many cohorts there may be at once. */
  constructor(store: Store, telemetry: Telemetry, limit: number) {
    this.#store = store;
    this.#telemetry = telemetry;
    this.#limit = limit;
  }

  /** The cohort will be made as soon as the store takes it: until then it is missing, not unknown. */
  expect(name: string): void {
    this.#awaited.add(name);
  }

  /** It was made, or nobody makes it any more. */
  settle(name: string): void {
    this.#awaited.delete(name);
  }

  /** Throws `unknown_cohort`. */
  async get(name: string): Promise<Cohort> {
    const cohort = await this.#store.getCohort(name);
    if (cohort !== null) return cohort;
    if (this.#awaited.has(name)) throw notMadeYet(name);
    throw unknownCohort(name);
  }

  /** Throws `unknown_cohort` or `unknown_agent`. */
  async find(cohortName: string, agentName: string): Promise<{ cohort: Cohort; agent: Agent }> {
    const cohort = await this.get(cohortName);
    const agent = findAgent(cohort, agentName);
    if (agent !== undefined) return { cohort, agent };
    const names = cohort.agents.map(({ name }) => name);
    throw new ServiceError(
      'unknown_agent',
      `Cohort "${cohortName}" has no agent "${agentName}". Its agents are ${names.join(', ')}.`,
      { details: { agents: names } },
    );
  }

  /** Throws unless the store takes changes now and has the cohorts of the configuration. What is wrong even so, as sentences. */
  async check(): Promise<readonly string[]> {
    const troubles = await this.#store.check();
    const [awaited] = this.#awaited;
    if (awaited !== undefined) throw notMadeYet(awaited);
    return troubles;
  }

  list(): Promise<readonly Cohort[]> {
    return this.#store.listCohorts();
  }

  /** Throws `cohort_in_use` when it exists with other settings and open buckets, `too_many_cohorts`. */
  async put(cohort: Cohort): Promise<'created' | 'unchanged' | 'replaced'> {
    const known = await this.#store.listCohorts();
    const isNew = known.every(({ name }) => name !== cohort.name);
    if (isNew && known.length >= this.#limit) {
      throw new ServiceError(
        'too_many_cohorts',
        `This server holds ${this.#limit} cohorts already. Delete one that has ended with DELETE /v1/cohorts/{cohort}.`,
      );
    }
    const outcome = await this.#store.putCohort(cohort);
    const { name } = cohort;
    switch (outcome) {
      case 'in-use':
        throw new ServiceError(
          'cohort_in_use',
          `Cohort "${name}" has prompts that wait for rewards under other settings. Let them end, delete it first, or use another name.`,
        );
      case 'changed-too-often':
        throw new ServiceError(
          'cohort_in_use',
          `Cohort "${name}" has changed so often that no more settings can be kept beside what was paid under them. Wait until the retention of the oldest is over, delete it first, or use another name.`,
        );
      default:
        return outcome;
    }
  }

  /** Throws `unknown_cohort`. */
  async delete(name: string): Promise<void> {
    if (!(await this.#store.deleteCohort(name))) throw unknownCohort(name);
    await this.#telemetry.forget(name);
  }
}

function unknownCohort(name: string): ServiceError {
  return new ServiceError(
    'unknown_cohort',
    `There is no cohort "${name}". Start the server with it, or create it with PUT /v1/cohorts/${name}.`,
  );
}

function notMadeYet(name: string): ServiceError {
  return new ServiceError(
    'store_unavailable',
    `Cohort "${name}" of the configuration is not made yet, since the store was away. Send the same request again: it will be.`,
  );
}
