import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { runAtOnce } from './at-once.ts';
import { type Cost, costOf } from './costs.ts';
import { COMPLETION_LENGTH, makeGroup, writeGroups, writeSample } from './synthetic.ts';
import { TestServer } from './test-server.ts';

export interface HeldOptions {
  /** Program of the server. */
  readonly program: string;
  readonly what: string;
  readonly protocol: 'native' | 'openrlhf';
  /** Requests. */
  readonly count: number;
  /** Prompts in each; one rollout of one prompt in OpenRLHF's protocol. */
  readonly prompts: number;
  /** How many times longer than usual the completions are. */
  readonly times: number;
}

export interface HeldCost {
  /** A held request, with the bucket that it opened. */
  readonly held: Cost;
  /** The same rollouts when nobody waits for them: what of it is the bucket. Null where all wait. */
  readonly recorded: Cost | null;
}

const K = 8;
const WARM_UP = 100;
const RECORDERS = 16;

/** What a request that waits for its peer takes, on a server of its own. */
export async function measureHeld(options: HeldOptions): Promise<HeldCost> {
  const { what, protocol, count } = options;
  const server = await TestServer.start(options.program);
  try {
    await server.putCohort('load', { agents: ['a', 'b'], k: K });
    const write = bodies(options);
    const isNative = protocol === 'native';
    // What the first requests take once and for all is not counted.
    await park(server, WARM_UP, protocol, write);
    if (isNative) await record(server, WARM_UP, write);
    const before = await server.measure();
    if (isNative) await record(server, count, write);
    const between = await server.measure();
    await park(server, count, protocol, write);
    const after = await server.measure();
    return {
      held: costOf(what, count, between, after),
      recorded: isNative ? costOf(what, count, before, between) : null,
    };
  } finally {
    await server.stop();
  }
}

/** Sends requests that nobody will answer, and resolves when the server holds them all. */
export async function park(
  server: TestServer,
  count: number,
  protocol: HeldOptions['protocol'],
  write: () => string,
): Promise<void> {
  const path = protocol === 'native' ? '/v1/cohorts/load/agents/a/rollouts?wait=110' : '/openrlhf/load/a';
  const target = (await server.countHeld('load')) + count;
  for (let sent = 0; sent < count; sent++) {
    // They end with the server.
    server.send('POST', path, write()).catch(() => undefined);
    if (sent % RECORDERS === 0) await delay(1);
  }
  while ((await server.countHeld('load')) < target) await delay(50);
}

/** Bodies of agent a, each of prompts that were not sent before. */
export function bodies({ protocol, prompts, times }: Pick<HeldOptions, 'protocol' | 'prompts' | 'times'>) {
  const random = new Random(1);
  const length = COMPLETION_LENGTH * times;
  let next = 0;
  return (): string => {
    const groups = Array.from({ length: prompts }, () => makeGroup('a', next++, K, 0.5, 1));
    const [first] = groups;
    if (protocol === 'native' || first === undefined) return writeGroups(groups, length, random);
    return writeSample(first.promptId, first.answers[0] ?? '', length, random);
  };
}

function record(server: TestServer, count: number, write: () => string): Promise<void> {
  const path = '/v1/cohorts/load/agents/a/rollouts?wait=0';
  const tasks = Array.from({ length: count }, () => async () => {
    await server.send('POST', path, write());
  });
  return runAtOnce(tasks, RECORDERS);
}
