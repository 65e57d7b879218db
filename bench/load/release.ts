import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { bodies, park } from './held-cost.ts';
import { quantile } from './statistics.ts';
import { COMPLETION_LENGTH, makeGroup, writeGroups } from './synthetic.ts';
import { TestServer } from './test-server.ts';

export interface ReleaseResult {
  /** Requests that wait on the same server for other peers. */
  readonly parked: number;
  readonly prompts: number;
  readonly exchanges: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const K = 8;
const WARM_UP = 30;

/**
 * Time from when the last peer starts to send until the agent that waited has read its rewards, on an idle
 * server and on one that holds many other requests: both at once, taking turns, to compare.
 */
export async function measureRelease(
  program: string,
  { parked, prompts, exchanges }: Pick<ReleaseResult, 'parked' | 'prompts' | 'exchanges'>,
): Promise<readonly [idle: ReleaseResult, crowded: ReleaseResult]> {
  const [idle, crowded] = await Promise.all([TestServer.start(program), TestServer.start(program)]);
  try {
    for (const server of [idle, crowded]) {
      await server.putCohort('pair', { agents: ['a', 'b'], k: K });
      await server.putCohort('load', { agents: ['a', 'b'], k: K });
    }
    await park(crowded, parked, 'native', bodies({ protocol: 'native', prompts: 1, times: 1 }));
    const random = new Random(2);
    const times = { idle: [] as number[], crowded: [] as number[] };
    for (let i = 0; i < exchanges + WARM_UP; i++) {
      const turns = random.shuffle([
        { server: idle, into: times.idle },
        { server: crowded, into: times.crowded },
      ]);
      for (const { server, into } of turns) {
        const ms = await exchange(server, i, prompts, random);
        if (i >= WARM_UP) into.push(ms);
      }
    }
    const result = (held: number, values: readonly number[]): ReleaseResult => ({
      parked: held,
      prompts,
      exchanges,
      p50Ms: quantile(values, 0.5),
      p99Ms: quantile(values, 0.99),
    });
    return [result(0, times.idle), result(parked, times.crowded)];
  } finally {
    await Promise.all([idle.stop(), crowded.stop()]);
  }
}

async function exchange(
  server: TestServer,
  number: number,
  prompts: number,
  random: Random,
): Promise<number> {
  const write = (agent: string) => {
    const groups = Array.from({ length: prompts }, (_, at) =>
      makeGroup(agent, number * prompts + at, K, 0.6, 1),
    );
    return writeGroups(groups, COMPLETION_LENGTH, random);
  };
  const path = (agent: string) => `/v1/cohorts/pair/agents/${agent}/rollouts?wait=100`;
  const waiting = server.send('POST', path('a'), write('a'));
  const body = write('b');
  while ((await server.countHeld('pair')) === 0) await delay(1);
  await delay(random.between(0, 10));
  const started = performance.now();
  const sent = server.send('POST', path('b'), body);
  await waiting;
  const ms = performance.now() - started;
  await sent;
  return ms;
}
