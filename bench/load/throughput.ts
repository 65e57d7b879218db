import { setTimeout as delay } from 'node:timers/promises';
import { labelOf } from '../replay/expected.ts';
import { Random } from '../support/random.ts';
import { runAtOnce } from './at-once.ts';
import { COMPLETION_LENGTH, makeGroup, type SyntheticGroup, writeGroups, writeSample } from './synthetic.ts';
import { TestServer } from './test-server.ts';

/** How rollouts travel: one a request (OpenRLHF), a group a request, or many groups a request (native). */
export type Shape = 'per sample' | 'per group' | 'per step';

export interface ThroughputResult {
  readonly shape: Shape;
  readonly rollouts: number;
  readonly requests: number;
  readonly mostHeld: number;
  /** How many of the first agent had to be held before the others started. */
  readonly target: number;
  readonly wrong: number;
  readonly seconds: number;
  /** CPU seconds of the server, and of the process that sends. */
  readonly serverCpu: number;
  readonly senderCpu: number;
}

interface Request {
  readonly path: string;
  readonly write: (random: Random) => string;
  /** Rewards that the reply must hold, in order. */
  readonly rewards: readonly number[];
}

const AGENTS = ['a', 'b', 'c', 'd'];
const SKILLS = [0.3, 0.5, 0.7, 0.9];
const K = 8;
const PROMPTS_PER_STEP = 32;
/** Prompts that one agent has under way at a time. */
const WINDOW: Readonly<Record<Shape, number>> = { 'per sample': 64, 'per group': 512, 'per step': 512 };
/** Requests of the first agent that are held before the others start. */
const HELD: Readonly<Record<Shape, number>> = { 'per sample': 512, 'per group': 512, 'per step': 16 };

/** Sends prompts × 4 agents × 8 rollouts through one server, with many requests held at once. */
export async function measureThroughput(
  program: string,
  shape: Shape,
  prompts: number,
): Promise<ThroughputResult> {
  const server = await TestServer.start(program);
  try {
    await server.putCohort('load', { agents: AGENTS, k: K });
    const plan = AGENTS.map((agent) => planRequests(agent, shape, prompts));
    const atOnce = (WINDOW[shape] * requestsPerPrompt(shape)) | 0;
    let wrong = 0;
    let mostHeld = 0;
    const before = await server.measure();
    const started = performance.now();
    const cpu = process.cpuUsage();
    const run = (requests: readonly Request[], position: number) => {
      const random = new Random(position + 1);
      return runAtOnce(
        requests.map((request) => async () => {
          const { text } = await server.send('POST', request.path, request.write(random));
          if (readRewards(text).join() !== request.rewards.join()) wrong += 1;
        }),
        atOnce,
      );
    };
    let over = false;
    const [first = [], ...others] = plan;
    const runs = [run(first, 0)];
    const target = Math.min(HELD[shape], first.length);
    while (mostHeld < target) {
      mostHeld = Math.max(mostHeld, await server.countHeld('load'));
      await delay(20);
    }
    runs.push(...others.map((requests, place) => run(requests, place + 1)));
    const watch = (async () => {
      while (!over) {
        mostHeld = Math.max(mostHeld, await server.countHeld('load'));
        await delay(250);
      }
    })();
    await Promise.all(runs);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    over = true;
    await watch;
    const after = await server.measure();
    return {
      shape,
      rollouts: prompts * AGENTS.length * K,
      requests: plan.reduce((total, requests) => total + requests.length, 0),
      mostHeld,
      target,
      wrong,
      seconds,
      serverCpu: after.cpu - before.cpu,
      senderCpu: (user + system) / 1e6,
    };
  } finally {
    await server.stop();
  }
}

function requestsPerPrompt(shape: Shape): number {
  switch (shape) {
    case 'per sample':
      return K;
    case 'per group':
      return 1;
    case 'per step':
      return 1 / PROMPTS_PER_STEP;
  }
}

function planRequests(agent: string, shape: Shape, prompts: number): Request[] {
  const all = Array.from({ length: prompts }, (_, prompt) => prompt);
  if (shape === 'per sample') return all.flatMap((prompt) => samplesOf(agent, prompt));
  const size = shape === 'per group' ? 1 : PROMPTS_PER_STEP;
  const path = `/v1/cohorts/load/agents/${agent}/rollouts?wait=100`;
  return chunk(all, size).map((chosen): Request => {
    const groups = chosen.map((prompt) => groupOf(agent, prompt));
    return {
      path,
      write: (random) => writeGroups(groups, COMPLETION_LENGTH, random),
      rewards: chosen.flatMap((prompt) => rewardsOf(agent, prompt, 'index')),
    };
  });
}

function samplesOf(agent: string, prompt: number): Request[] {
  const { promptId, answers } = groupOf(agent, prompt);
  const rewards = rewardsOf(agent, prompt, 'hash');
  return answers.map((answer, index) => ({
    path: `/openrlhf/load/${agent}`,
    write: (random) => writeSample(promptId, answer, COMPLETION_LENGTH, random),
    rewards: rewards.slice(index, index + 1),
  }));
}

function groupOf(agent: string, prompt: number): SyntheticGroup {
  return makeGroup(agent, prompt, K, SKILLS[AGENTS.indexOf(agent)] ?? 0.5, 1);
}

function rewardsOf(agent: string, prompt: number, tie: 'index' | 'hash'): number[] {
  const teacher = AGENTS.at(AGENTS.indexOf(agent) - 1) ?? agent;
  const label = labelOf(groupOf(teacher, prompt).answers, tie);
  return groupOf(agent, prompt).answers.map((answer) => Number(answer === label));
}

/** Rewards of a reply of either protocol, in order. */
function readRewards(text: string): number[] {
  const reply: { rewards?: number[]; groups?: { rewards: number[] }[] } = JSON.parse(text);
  return reply.rewards ?? reply.groups?.flatMap(({ rewards }) => rewards) ?? [];
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
