import { Agent } from 'node:http';
import { type Reply, send } from '../support/http.ts';
import type { Random } from '../support/random.ts';

/** Of each agent of the honest cohort. */
export const K = 4;

/** Two trainers of one cohort of agents `a` and `b`, which know what they must be paid. */
export class Honest {
  readonly #connections = new Agent({ keepAlive: true });
  readonly #cohort: string;
  readonly #run: string;
  #steps = 0;

  /** `run`: in the ids of its prompts, so that two runs on one store do not meet. */
  constructor(cohort: string, run: string) {
    this.#cohort = cohort;
    this.#run = run;
  }

  get steps(): number {
    return this.#steps;
  }

  /**
   * One step of so many prompts: `a` at one address, `b` at another, each sending again whatever was not accepted. Returns what was wrong,
   * nothing where every reward was as the peer's majority says. `patienceMs`: for the whole step.
   */
  async step(
    random: Random,
    urls: readonly [string, string],
    prompts: number,
    patienceMs: number,
  ): Promise<string[]> {
    const step = this.#steps++;
    const groups = Array.from({ length: prompts }, (_, at) =>
      drawGroup(random, `${this.#run}-${step}-${at}`),
    );
    const until = performance.now() + patienceMs;
    const sides = [
      { agent: 'a', url: urls[0], own: (group: Group) => group.a, peer: (group: Group) => group.b },
      { agent: 'b', url: urls[1], own: (group: Group) => group.b, peer: (group: Group) => group.a },
    ];
    const faults = await Promise.all(
      sides.map(async ({ agent, url, own, peer }) => {
        const body = JSON.stringify({
          submission_id: `${this.#run}-${step}-${agent}`,
          step,
          groups: groups.map((group) => ({
            prompt_id: group.id,
            rollouts: own(group).map((answer, index) => ({ index, completion: `So \\boxed{${answer}}.` })),
          })),
        });
        const reply = await this.#untilScored(
          `${url}/v1/cohorts/${this.#cohort}/agents/${agent}/rollouts?wait=10`,
          body,
          until,
        );
        if (typeof reply === 'string') return [`step ${step} of ${agent}: ${reply}`];
        return groups.flatMap((group, at) => {
          const expected = own(group).map((answer) => (answer === majority(peer(group)) ? 1 : 0));
          const paid = reply[at]?.join();
          return paid === expected.join()
            ? []
            : [`${group.id} of ${agent}: paid ${paid}, not ${expected.join()}`];
        });
      }),
    );
    return faults.flat();
  }

  close(): void {
    this.#connections.destroy();
  }

  async #untilScored(url: string, body: string, until: number): Promise<number[][] | string> {
    let last = 'no answer';
    while (performance.now() < until) {
      const options = { method: 'POST', url, body, agent: this.#connections } as const;
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())));
      const reply = await send({ ...options, signal }).catch((error: Error) => error.message);
      if (typeof reply !== 'string' && reply.status === 200) return rewardsOf(reply);
      last = typeof reply === 'string' ? reply : `${reply.status} ${reply.text.slice(0, 300)}`;
      if (typeof reply !== 'string' && reply.status < 500 && reply.status !== 202) return last;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return `not paid in time; last: ${last}`;
  }
}

interface Group {
  readonly id: string;
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Answers with a majority that no tie rule decides. */
function drawGroup(random: Random, id: string): Group {
  const draw = () => {
    const label = random.between(0, 3);
    return random.shuffle([label, label, label, random.between(0, 3)]);
  };
  return { id, a: draw(), b: draw() };
}

function majority(answers: readonly number[]): number {
  return [...answers].sort((x, y) => count(answers, y) - count(answers, x))[0] ?? 0;
}

function count(answers: readonly number[], answer: number): number {
  return answers.filter((other) => other === answer).length;
}

function rewardsOf({ text }: Reply): number[][] {
  const { groups } = JSON.parse(text) as { groups: { rewards: number[] }[] };
  return groups.map(({ rewards }) => rewards);
}
