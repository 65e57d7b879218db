import { describe, expect, it } from 'vitest';
import { readSubmissionReply } from '../../../../bench/replay/native-reply.ts';
import { planSubmissions } from '../../../../bench/replay/native-submissions.ts';
import { readReply, writeQuery } from '../../../../bench/replay/openrlhf-wire.ts';
import { Random } from '../../../../bench/support/random.ts';
import { recordedFile } from './recorded.ts';

const answers = ['1', '2', '3', '4', '5', '6', '7'];
const rounds = Array.from({ length: 12 }, () => answers);
const { rollouts } = recordedFile({ a: rounds });

describe('planned submissions', () => {
  const plan = planSubmissions(rollouts, { random: new Random(3), prefix: 's' });

  it('send every rollout, some of them again, none twice in one submission', () => {
    const names = plan.flatMap((submission) => submission.rollouts.map(({ name }) => name));
    expect(new Set(names)).toEqual(new Set(rollouts.map(({ name }) => name)));
    expect(names.length).toBeGreaterThan(rollouts.length);
    for (const submission of plan) {
      expect(new Set(submission.rollouts.map(({ name }) => name)).size).toBe(submission.rollouts.length);
    }
  });

  it('are the same for the same seed and others for another', () => {
    expect(planSubmissions(rollouts, { random: new Random(3), prefix: 's' })).toEqual(plan);
    expect(planSubmissions(rollouts, { random: new Random(4), prefix: 's' })).not.toEqual(plan);
  });
});

describe('a native reply', () => {
  const [first, second] = rollouts;
  const submission = { id: 's', rollouts: [first, second].flatMap((each) => each ?? []) };
  const reply = (changes: object, rewards = '[1.0,0.0]') =>
    JSON.stringify({
      status: 'decided',
      groups: [
        {
          prompt_id: 'p',
          round: 0,
          status: 'scored',
          label: '1',
          rewards: 'REWARDS',
          rollouts: [
            { id: 'k0', reward: '1.0' },
            { id: 'k1', reward: '0.0' },
          ],
          ...changes,
        },
      ],
    })
      .replace('"REWARDS"', rewards)
      .replaceAll(/"(\d\.0)"/g, '$1');

  it('is read by position and by id', () => {
    expect(readSubmissionReply(submission, reply({}))).toEqual({
      rewards: [
        { name: 'a|p|0|0', reward: 1, label: '1' },
        { name: 'a|p|0|1', reward: 0, label: '1' },
      ],
      faults: [],
    });
  });

  it.each([
    ['rewards in another order', reply({}, '[0.0,1.0]')],
    ['a reward written as an integer', reply({}, '[1,0.0]')],
    ['another prompt', reply({ prompt_id: 'q' })],
    ['a group that expired', reply({ status: 'expired' })],
    ['a rollout left out', reply({ rollouts: [{ id: 'k0', reward: '1.0' }] })],
  ])('shows a fault in %s', (_what, text) => {
    expect(readSubmissionReply(submission, text).faults).not.toEqual([]);
  });
});

describe("OpenRLHF's shape", () => {
  const [first] = rollouts;
  if (first === undefined) throw new Error('no rollouts');
  const logs = { labeled: ['1.0'], expired: ['0.0'], skipped: ['0.0'], eval: ['0.0'], late: ['0.0'] };
  const reply = (extra: object, reward = '1.0') =>
    JSON.stringify({ rewards: [reward], scores: [reward], extra_logs: { ...logs, ...extra } }).replaceAll(
      /"(\d(?:\.0)?)"/g,
      '$1',
    );

  it('wraps the prompt of each agent in another chat template and hides the answer behind it', () => {
    const [query, other] = [0, 1].map((position) => JSON.parse(writeQuery(first, position, 'json')));
    expect(query.query[0].startsWith(query.prompts[0])).toBe(true);
    expect(query.prompts).not.toEqual(other.prompts);
    expect(JSON.parse(query.labels[0])).toEqual({ pid: 'p', answer: '2' });
    expect(JSON.parse(writeQuery(first, 0, 'gold')).labels).toEqual(['2']);
  });

  it('is read as OpenRLHF reads it', () => {
    const { rewarded, keys, faults } = readReply(first, reply({}), null);
    expect(rewarded).toEqual({ name: 'a|p|0|0', reward: 1, label: true });
    expect(readReply(first, reply({}), keys).faults).toEqual(faults);
    expect(faults).toEqual([]);
  });

  it.each([
    ['an integer, which crashes the trainer', reply({}, '1')],
    ['a key that comes and goes', reply({ tied: ['0.0'] })],
    ['a reward without a vote', reply({ expired: ['1.0'] })],
  ])('shows a fault in %s', (_what, text) => {
    const keys = readReply(first, reply({}), null).keys;
    expect(readReply(first, text, keys).faults).not.toEqual([]);
  });
});
