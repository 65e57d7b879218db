import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../../bench/methods/problem.ts';
import { type Stop, tour } from '../../bench/methods/tour.ts';
import { systemClock } from '../../src/cli/system-clock.ts';
import { METHOD_NAMES, type MethodName } from '../../src/domain/cohort.ts';
import { openServer, readFetched, type TestServerOptions } from '../protocol/test-server.ts';
import { RedisServer } from '../support/redis-server.ts';
import { openRedisStore } from '../support/redis-store.ts';

type Rollouts = readonly Readonly<Record<string, unknown>>[];

/** One cohort: what its agents send for one prompt, and what each gets. */
interface Run {
  readonly config: Readonly<Record<string, unknown>>;
  readonly sent: Readonly<Record<string, Rollouts>>;
  readonly rewards: Readonly<Record<string, readonly (number | null)[]>>;
  readonly source: string;
}

const answered = (...answers: readonly (string | null)[]): Rollouts => answers.map((answer) => ({ answer }));
const boxed = (...answers: readonly (string | null)[]): Rollouts =>
  answers.map((answer) => ({ completion: answer === null ? 'I cannot say.' : `It is \\boxed{${answer}}.` }));
const each = (rollouts: Rollouts, signals: Rollouts): Rollouts =>
  rollouts.map((rollout, at) => ({ ...rollout, ...signals[at] }));
const pair = ['a', 'b'];

/** Every answer is one of 4, 5 and none; the truth is 4. Entropies, verdicts and scores are invented. */
const RUNS: Readonly<Record<MethodName, Run>> = {
  'co-rl': {
    config: { agents: pair, k: 3 },
    sent: { a: boxed('4', '4', '5'), b: boxed('5', '5', null) },
    rewards: { a: [0, 0, 1], b: [0, 0, 0] },
    source: 'peer-vote',
  },
  ttrl: {
    config: { agents: ['a'], k: 3 },
    sent: { a: boxed('5', '4', '5') },
    rewards: { a: [1, 0, 1] },
    source: 'self-vote',
  },
  'ground-truth': {
    config: { agents: ['a'], k: 3 },
    sent: { a: boxed('5', '4', null) },
    rewards: { a: [0, 1, 0] },
    source: 'ground-truth',
  },
  rent: {
    config: { agents: ['a'], k: 4, options: { base_format: true } },
    sent: {
      a: each(boxed('5', '4', '4', null), [
        { mean_entropy: 0.5 },
        { token_entropies: [1, 2, 9], token_mask: [1, 1, 0] },
        { mean_entropy: null },
        { mean_entropy: 0.1 },
      ]),
    },
    rewards: { a: [-0.5, -1.5, null, -7] },
    source: 'entropy',
  },
  intuitor: {
    config: { agents: ['a'], k: 3 },
    sent: {
      a: each(boxed('5', '4', null), [
        { mean_kl_u_p: 2.5 },
        { token_kl_u_p: [1, 2], token_mask: [true, false] },
        { token_kl_u_p: [] },
      ]),
    },
    rewards: { a: [2.5, 1, null] },
    source: 'self-certainty',
  },
  'co-rewarding-i': {
    config: { agents: ['a', { name: 'b', view: 'rephrased' }], k: 3 },
    sent: { a: boxed('4', '4', '5'), b: boxed('5', '5', '4') },
    rewards: { a: [0, 0, 1], b: [0, 0, 1] },
    source: 'other-view',
  },
  'co-rewarding-ii': {
    config: { agents: ['a', { name: 'slow', role: 'teacher', k: 2 }], k: 3, options: { ema_steps: 100 } },
    sent: { a: boxed('4', '4', '5'), slow: boxed('4', '4') },
    rewards: { a: [1, 1, 0], slow: [null, null] },
    source: 'ema-teacher',
  },
  comas: {
    config: { agents: ['a', 'b'], k: 3 },
    sent: {
      a: each(boxed('4', '5', null), [
        { part: 'solver', interaction_id: 'x' },
        { part: 'evaluator', interaction_id: 'y' },
        { part: 'solver', interaction_id: 'alone' },
      ]),
      b: [
        { part: 'scorer', interaction_id: 'x', completion: 'Fine. <score>3</score>' },
        { part: 'scorer', interaction_id: 'y', tau: 1, answer: null },
        { part: 'scorer', interaction_id: 'z', completion: 'Hm.' },
      ],
    },
    rewards: { a: [1, 1, null], b: [0, 0, -1] },
    source: 'scorer',
  },
  maporl: {
    config: { agents: pair, k: 2, options: { gamma: 0.5 } },
    sent: {
      a: each(answered('4', '4'), [
        { interaction_id: 'x', turn: 0, score: 0 },
        { interaction_id: 'x', turn: 1, score: 1 },
      ]),
      b: each(answered('4', '5'), [
        { interaction_id: 'x', turn: 0, score: 1 },
        { interaction_id: 'x', turn: 1, score: 0 },
      ]),
    },
    // (s + 0.5 * 0.5) / 1.5 at the first turn.
    rewards: { a: [0.25 / 1.5, 1], b: [1.25 / 1.5, 0] },
    source: 'verifier',
  },
  'llm-judge': {
    config: { agents: ['a'], k: 2 },
    sent: { a: each(boxed('5', '4'), [{ score: 0.25 }, { score: 0.75 }]) },
    rewards: { a: [0.25, 0.75] },
    source: 'judge',
  },
  random: {
    config: { agents: ['a'], k: 3, options: { probability: 1 } },
    sent: { a: boxed('5', '4', null) },
    rewards: { a: [1, 1, 1] },
    source: 'control',
  },
  format: {
    config: { agents: ['a'], k: 3 },
    sent: { a: boxed('5', '4', null) },
    rewards: { a: [1, 1, 0] },
    source: 'control',
  },
  inverted: {
    config: { agents: ['a'], k: 3 },
    sent: { a: boxed('5', '4', null) },
    rewards: { a: [1, 0, 0] },
    source: 'control',
  },
};

const SMALL: Source = {
  agents: ['a', 'b', 'c'],
  k: 6,
  mode: 'boxed',
  problems: ['p', 'q'].map((promptId) => ({
    promptId,
    round: 0,
    gold: '4',
    completions: [
      ['4', '4', '5', '4', '', '4'],
      ['5', '5', '4', '5', '4', ''],
      ['4', '5', '4', '4', '4', '4'],
    ].map((answers) => answers.map((answer) => (answer === '' ? 'No idea.' : `\\boxed{${answer}}`))),
  })),
};

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

const STORES = {
  memory: async (): Promise<TestServerOptions> => ({}),
  redis: async (): Promise<TestServerOptions> => ({ store: await openRedisStore(redis.url) }),
};

async function listen(store: keyof typeof STORES): Promise<string> {
  const server = await openServer({ clock: systemClock, ...(await STORES[store]()) });
  return server.listen();
}

describe.each(['memory', 'redis'] as const)('over HTTP on %s', (store) => {
  it.each(METHOD_NAMES)('a cohort of method %s gets its rewards, and says from where', async (method) => {
    const { config, sent, rewards, source } = RUNS[method];
    const cohort = `${await listen(store)}/v1/cohorts/${method}`;
    const send = async (verb: 'PUT' | 'POST', url: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return readFetched(await fetch(url, { method: verb, body: JSON.stringify(body), headers }));
    };
    const made = await send('PUT', cohort, { answers: { mode: 'boxed' }, ...config, method });
    expect([made.status, made.body]).toMatchObject([201, {}]);
    const replies = await Promise.all(
      Object.entries(sent).map(async ([agent, rollouts]) => {
        const named = rollouts.map((rollout, index) => ({ id: `r${index}`, index, ...rollout }));
        const groups = [{ prompt_id: 'p', ground_truth: '4', rollouts: named }];
        const reply = await send('POST', `${cohort}/agents/${agent}/rollouts?wait=15`, { step: 51, groups });
        return [agent, reply] as const;
      }),
    );
    for (const [agent, { status, body }] of replies) {
      expect([agent, status]).toEqual([agent, 200]);
      const [group] = body.groups;
      expect(group.rewards).toHaveLength(rewards[agent]?.length ?? 0);
      for (const [at, reward] of (rewards[agent] ?? []).entries()) {
        if (reward === null) expect(group.rewards[at]).toBeNull();
        else expect(group.rewards[at]).toBeCloseTo(reward, 12);
        const isTeacher = group.reward_source === 'none';
        expect(group.rollouts[at].reason === null).toBe(reward !== null || isTeacher);
      }
      if (agent !== 'slow') expect(group.reward_source).toBe(source);
      const { ema_coefficient: coefficient } = body.metrics;
      if (method === 'co-rewarding-ii') expect(coefficient).toBeCloseTo(0.005005, 12);
      else expect(coefficient).toBeNull();
    }
  });
});

describe('the tour of all methods', () => {
  it('ends the same on both stores, with rewards for every method', async () => {
    const stopsOn = async (store: keyof typeof STORES) => {
      const stops: Stop[] = [];
      for await (const stop of tour(await listen(store), SMALL)) stops.push(stop);
      return stops;
    };
    const stops = await stopsOn('memory');
    expect(stops.map(({ method }) => method)).toEqual([...METHOD_NAMES]);
    for (const { rewards, mean } of stops) {
      expect(rewards).toBeGreaterThan(0);
      expect(Number.isFinite(mean)).toBe(true);
    }
    // What has an answer is either the truth or not.
    const paid = (method: string) => stops.find((stop) => stop.method === method)?.mean ?? Number.NaN;
    expect(paid('ground-truth') + paid('inverted')).toBeCloseTo(paid('format'), 12);
    expect(await stopsOn('redis')).toEqual(stops);
  });
});
