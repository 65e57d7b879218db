import { setTimeout as delay } from 'node:timers/promises';
import { clearCohorts } from '../hostile/clear-cohorts.ts';
import { Honest, K } from '../hostile/honest.ts';
import { hostileRequest } from '../hostile/hostile-requests.ts';
import { judge } from '../hostile/judge-exchange.ts';
import { exchange } from '../hostile/wire.ts';
import type { Fleet } from '../replay/fleet.ts';
import { Random } from '../support/random.ts';

const HONEST_LANES = 3;
const HOSTILE_LANES = 2;
const PROMPTS = 8;
/** A cohort lives for so many steps, and is deleted. */
const STEPS = 40;
/** Between two steps, as if somebody trained. */
const PACE_MS = 100;
/** Longest that a step may take, outages included. */
const PATIENCE_MS = 90_000;
const HANGS_MS = 30_000;
const HONEST = 'honest-';
/** Hostile requests until what they have made is cleared away. */
const ROUND = 400;

interface TrafficOptions {
  readonly fleet: Fleet;
  readonly random: Random;
  readonly isOver: () => boolean;
}

/** Honest trainers and hostile clients, side by side. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly faults: string[] = [];
  readonly counted = { steps: 0, cohorts: 0, requests: 0, rollouts: 0 };

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { random } = this.#options;
    const draw = () => new Random(random.between(0, 0xffff_ffff));
    await Promise.all([
      ...Array.from({ length: HONEST_LANES }, (_, lane) => this.#train(lane, draw())),
      ...Array.from({ length: HOSTILE_LANES }, () => this.#attack(draw())),
    ]);
  }

  async #train(lane: number, random: Random): Promise<void> {
    const { fleet, isOver } = this.#options;
    for (let life = 0; !isOver(); life += 1) {
      const cohort = `${HONEST}${lane}-${life}`;
      await this.#ask('PUT', cohort, { agents: ['a', 'b'], k: K });
      const honest = new Honest(cohort, `${life}`);
      while (!isOver() && honest.steps < STEPS) {
        this.faults.push(...(await honest.step(random, [fleet.url, fleet.url], PROMPTS, PATIENCE_MS)));
        this.counted.steps += 1;
        this.counted.rollouts += 2 * K * PROMPTS;
        await delay(PACE_MS * 2 * random.next());
      }
      honest.close();
      await this.#ask('DELETE', cohort, null);
      this.counted.cohorts += 1;
    }
  }

  /** Until it is done: an outage may be under way. */
  async #ask(method: 'PUT' | 'DELETE', cohort: string, body: object | null): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    let last = '';
    while (performance.now() < until) {
      const reply = await fetch(`${this.#options.fleet.url}/v1/cohorts/${cohort}`, {
        method,
        signal: AbortSignal.timeout(HANGS_MS),
        ...(body !== null && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }).catch((error: Error) => error);
      // Deleted by the request before, whose answer was lost.
      if (!(reply instanceof Error) && (reply.ok || (method === 'DELETE' && reply.status === 404))) return;
      last = reply instanceof Error ? reply.message : `${reply.status} ${await reply.text()}`;
      await delay(200);
    }
    this.faults.push(`${method} ${cohort}: ${last}`);
  }

  async #attack(random: Random): Promise<void> {
    const { fleet, isOver } = this.#options;
    for (let n = 0; !isOver(); n += 1) {
      const port = Number(new URL(random.pick(fleet.urls)).port);
      if (n % ROUND === 0) await clearCohorts(fleet.url, (name) => name.startsWith(HONEST)).catch(() => {});
      const request = hostileRequest(random, 'fuzz');
      const ask = () => exchange(port, request, HANGS_MS);
      const found = await ask();
      this.counted.requests += 1;
      // A replica that was killed meanwhile has answered nothing, or half of it.
      const isThere = fleet.urls.some((url) => Number(new URL(url).port) === port);
      const verdict =
        isThere && !found.replies.some(({ status }) => status === 503)
          ? await judge(request, found, ask)
          : null;
      if (verdict !== null && this.faults.length < 100) this.faults.push(`${verdict}, after ${request.what}`);
    }
  }
}
