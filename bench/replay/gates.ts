import { type Ring, teacherOf } from './expected.ts';
import { groupName, type Rollout } from './rollouts.ts';

type Visit = Pick<Rollout, 'promptId' | 'round'>;

interface Freeze {
  readonly agent: string;
  readonly refused: Visit[];
}

/**
 * Who may send the last rollout of which group under the OpenRLHF protocol. A group is released when its
 * student has broken all connections that it will, since a reply that is written to a connection as it breaks
 * is lost: without ids, the server cannot tell its retry from the next visit. Before an agent is killed
 * its groups are frozen for the same reason: what is under way ends, and nothing new is answered.
 */
export class Gates {
  readonly #agents: readonly string[];
  readonly #ring: Ring;
  readonly #release: (agent: string, group: string) => void;
  readonly #released = new Set<string>();
  #freeze: Freeze | null = null;

  constructor(agents: readonly string[], ring: Ring, release: (agent: string, group: string) => void) {
    this.#agents = agents;
    this.#ring = ring;
    this.#release = release;
  }

  /** Groups that are released so far. */
  get released(): string[] {
    return [...this.#released];
  }

  /** This agent has broken the connections of this visit that it will. */
  ready(student: string, visit: Visit): void {
    const teacher = teacherOf(this.#agents, student, this.#ring);
    const freeze = this.#freeze;
    if (freeze !== null && (teacher === freeze.agent || student === freeze.agent)) {
      if (!this.isUnderWay(freeze.agent, visit)) {
        // The killed process's word is void: the next one breaks connections again.
        if (student !== freeze.agent) freeze.refused.push(visit);
        return;
      }
    }
    this.#open(teacher, visit);
  }

  /** From now on no group of this agent, and none that it is rewarded by, is released for a new visit. */
  freeze(agent: string): void {
    this.#freeze ??= { agent, refused: [] };
  }

  get frozen(): string | null {
    return this.#freeze?.agent ?? null;
  }

  /** Whether this visit of the agent will be answered, or its vote be used. */
  isUnderWay(agent: string, visit: Visit): boolean {
    const teacher = teacherOf(this.#agents, agent, this.#ring);
    return [agent, teacher].some((name) => this.#released.has(groupName({ ...visit, agent: name })));
  }

  /** The agent is back. */
  thaw(): void {
    const freeze = this.#freeze;
    this.#freeze = null;
    for (const visit of freeze?.refused ?? []) this.#open(freeze?.agent ?? '', visit);
  }

  #open(agent: string, visit: Visit): void {
    const group = groupName({ ...visit, agent });
    if (this.#released.has(group)) return;
    this.#released.add(group);
    this.#release(agent, group);
  }
}
