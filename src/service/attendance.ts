import type { AgentName } from '../domain/cohort.ts';
import { getOrAdd } from './get-or-add.ts';

/**
 * When this replica last had a request of an agent, of whatever kind: an evaluation or a poll leaves nothing in the store,
 * and shows all the same that the trainer lives.
 */
export class Attendance {
  readonly #heard = new Map<string, Map<AgentName, number>>();

  note(cohort: string, agent: AgentName, now: number): void {
    getOrAdd(this.#heard, cohort, () => new Map<AgentName, number>()).set(agent, now);
  }

  /** Milliseconds of this server's clock; null: never, since it started. */
  heardAt(cohort: string, agent: AgentName): number | null {
    return this.#heard.get(cohort)?.get(agent) ?? null;
  }

  forget(cohort: string): void {
    this.#heard.delete(cohort);
  }
}
