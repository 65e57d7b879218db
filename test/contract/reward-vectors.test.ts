import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../src/answers/canonical-key.ts';
import type { Truth } from '../../src/domain/bucket.ts';
import type { Cohort } from '../../src/domain/cohort.ts';
import type { TeacherGroup } from '../../src/methods/method.ts';
import { methodOf } from '../../src/methods/registry.ts';
import { readVectors } from '../fixtures/vectors/read-vectors.ts';
import { agentOf, buildCohort, buildGroup } from '../support/builders.ts';

type Keys = readonly (string | null)[];

/** Judges one agent's group of one problem, given everybody's vote keys. */
function judge(
  cohort: Cohort,
  name: string,
  keysOf: Readonly<Record<string, Keys>>,
  truth: Truth | null = null,
) {
  const method = methodOf(cohort.method);
  const agent = agentOf(cohort, name);
  const groupOf = (of: string) => buildGroup(of, keysOf[of] ?? []);
  const own = groupOf(name);
  const teachers = method
    .waitsFor(cohort, agent, null)
    .map((teacher): TeacherGroup => ({ agent: teacher, round: 0, group: groupOf(teacher) }));
  const judgement = method.judge({ cohort, agent, promptId: 'p', round: 0, own, truth, teachers });
  return { ...judgement, rewards: own.rollouts.map((rollout) => judgement.reward(rollout)) };
}

describe('the rewards of the reference implementations', () => {
  for (const { id, supervision, threshold, truths, vote_keys, expected } of readVectors('co-rl').cases) {
    it(`co-rl: ${id}`, () => {
      const cohort = buildCohort({ agents: Object.keys(vote_keys), k: 4, supervision, vote: { threshold } });
      for (const [name, { supervision: labels, rewards }] of Object.entries(expected)) {
        const judged = truths.map((_, at) =>
          judge(
            cohort,
            name,
            Object.fromEntries(Object.entries(vote_keys).map(([of, keys]) => [of, keys[at] ?? []])),
          ),
        );
        expect(judged.map(({ label }) => label?.key ?? null)).toEqual(labels);
        expect(judged.map((one) => one.rewards)).toEqual(rewards);
      }
    });
  }

  // ttrl-lenient-grade too: this server pays by equality of keys, which the vote is counted by, where the
  // reference pays by sympy and so may reward an answer that did not count for the label.
  for (const { id, threshold, vote_keys, labels, rewards } of readVectors('ttrl').cases) {
    it(`ttrl: ${id}`, () => {
      const cohort = buildCohort({ agents: ['a'], method: 'ttrl', vote: { threshold } });
      const judged = vote_keys.map((keys) => judge(cohort, 'a', { a: keys }));
      expect(judged.map(({ label }) => label?.key ?? null)).toEqual(labels);
      expect(judged.map((one) => one.rewards)).toEqual(rewards);
    });
  }

  for (const { id, n_samples, answers, rewards, train_rewards } of readVectors('ttrl-prime').cases) {
    it(`ttrl as PRIME-RL runs it: ${id}`, () => {
      const cohort = buildCohort({ agents: ['a'], method: 'ttrl', vote: { allowEmptyVote: true } });
      const judged = judge(cohort, 'a', { a: answers });
      expect(judged.rewards).toEqual(rewards);
      expect(judged.rewards.slice(0, n_samples)).toEqual(train_rewards);
    });
  }

  it('ttrl: pays no rollout for having no answer, unlike PRIME-RL, unless asked to reproduce it', () => {
    const vector = readVectors('ttrl-prime').cases.find(({ id }) => id === 'ttrl-prime-empty-majority-bug');
    if (vector === undefined) throw new Error('no such vector');
    const judged = judge(buildCohort({ agents: ['a'], method: 'ttrl' }), 'a', { a: vector.answers });
    expect(judged.label?.key).toBe('4');
    expect(judged.rewards).toEqual(vector.answers.map((answer) => (answer === '4' ? 1 : 0)));
  });

  for (const { id, truths, answers, rewards } of readVectors('ground-truth').cases) {
    it(`ground-truth: ${id}`, () => {
      const cohort = buildCohort({ agents: ['a'], method: 'ground-truth' });
      const judged = truths.map((text, at) => {
        const truth = { text, key: canonicalKey(text) ?? '', mode: 'auto' };
        return judge(cohort, 'a', { a: answers[at] ?? [] }, truth);
      });
      expect(judged.map((one) => one.rewards)).toEqual(rewards);
    });
  }
});
