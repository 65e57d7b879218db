import { describe, expect, it } from 'vitest';
import type { AgentCounts, PairCounts } from '../../../../src/domain/diagnostics/counters.ts';
import type { Evidence } from '../../../../src/domain/verdict/evidence.ts';
import { findFindings } from '../../../../src/domain/verdict/find-findings.ts';
import type { CohortOverrides } from '../../../support/builders.ts';
import {
  agentEvidence,
  evidenceOf,
  goodCounts,
  NOW,
  pairCounts,
  pairEvidence,
  windowsOf,
} from '../../../support/evidence.ts';

/** Two agents, of which the first has these figures at first and now. */
function shown(
  now: Partial<AgentCounts>,
  {
    groups = 64,
    before = {},
    pair = {},
    cohort = {},
  }: {
    readonly groups?: number;
    readonly before?: Partial<AgentCounts>;
    readonly pair?: Partial<PairCounts>;
    readonly cohort?: CohortOverrides;
  } = {},
): Evidence {
  const a = agentEvidence('a', { windows: windowsOf(goodCounts(64, before), goodCounts(groups, now)) });
  const pairs = [pairEvidence('a', 'b', pairCounts(64), pairCounts(groups, pair))];
  return evidenceOf({ agents: [a, agentEvidence('b')], pairs }, cohort);
}

const codes = (evidence: Evidence) =>
  findFindings(evidence).map(({ code, agents }) => `${code}: ${agents.join(', ')}`);

const NO_TRUTHS = { truthLabels: 0, labelHits: 0, truthGroups: 0, truthRollouts: 0, rightRollouts: 0 };
const COLLAPSED = { labelHits: 6, rightRollouts: 10, zeroStds: 62, uniformGroups: 62 };

describe('a verdict on figures', () => {
  it('is empty where all goes well', () => {
    expect(codes(evidenceOf())).toEqual([]);
    expect(codes(evidenceOf({ pairs: [], agents: [] }))).toEqual([]);
  });

  for (const [name, evidence, expected] of [
    ['answers that are never found', shown({ answered: 2 }), ['answers_not_found: a']],
    ['answers that are found now and then', shown({ answered: 40 }), []],
    ['no answer in so few completions', shown({ answered: 0, rollouts: 28 }, { groups: 7 }), []],
    ['clones', shown({}, { pair: { sameTexts: 200 } }), ['clones: a, b']],
    ['texts that are alike now and then', shown({}, { pair: { sameTexts: 100 } }), []],
    ['few texts that are alike', shown({}, { pair: { texts: 24, sameTexts: 24 } }), []],
    ['prompts without truths', shown({ ...NO_TRUTHS }), []],
    ['half of the groups without a label', shown({ scored: 30, unlabeled: 34 }), ['unlabeled_share: a']],
    ['a third without a label', shown({ scored: 42, unlabeled: 22 }), []],
    ['a tenth that expired', shown({ scored: 58, expired: 6 }), ['expired_share: a']],
    ['one that expired', shown({ scored: 63, expired: 1 }), []],
    ['no spread at all', shown({ zeroStds: 64 }), ['no_spread: a']],
    ['little spread', shown({ zeroStds: 58 }), []],
    ['no spread in a few groups', shown({ zeroStds: 32 }, { groups: 32 }), []],
    [
      'no spread for want of labels',
      shown({ zeroStds: 64, scored: 20, unlabeled: 44 }),
      ['unlabeled_share: a'],
    ],
    ['no spread of one rollout each', shown({ zeroStds: 64 }, { cohort: { k: 1 } }), []],
    ['a collapse', shown(COLLAPSED, { pair: { same: 64 } }), ['collapse: a']],
    ['a collapse that begins', shown({ labelHits: 34, zeroStds: 56 }), ['early_collapse: a']],
    ['labels that get worse, and nothing else', shown({ labelHits: 34 }), []],
    [
      'models that get better, agree more and write more',
      shown(
        { labelHits: 62, zeroStds: 58, uniformGroups: 58, lengthSum: 4 * 64 * 700 },
        { pair: { same: 63 } },
      ),
      [],
    ],
    [
      'a collapse without truths, which lengths show',
      shown(
        { ...NO_TRUTHS, zeroStds: 62, uniformGroups: 62, lengthSum: 4 * 64 * 2_400 },
        { before: NO_TRUTHS, pair: { same: 64 } },
      ),
      ['collapse: a'],
    ],
    [
      'agreement without truths, which success shows too',
      shown({ ...NO_TRUTHS, zeroStds: 58, uniformGroups: 62 }, { before: NO_TRUTHS, pair: { same: 64 } }),
      [],
    ],
    [
      'longer completions with less spread, without truths',
      shown({ ...NO_TRUTHS, zeroStds: 56, lengthSum: 4 * 64 * 700 }, { before: NO_TRUTHS }),
      ['early_collapse: a'],
    ],
    [
      'labels that are about to run out',
      shown({ staleness: 4 * 64 }, { cohort: { barrier: { mode: 'last-label', maxStaleness: 4 } } }),
      ['stale_labels: a'],
    ],
    [
      'labels of the round before, where one round is the most',
      shown({ staleness: 64 }, { cohort: { barrier: { mode: 'last-label', maxStaleness: 1 } } }),
      [],
    ],
    [
      'clones whose answers are not found',
      shown({ answered: 0 }, { pair: { sameTexts: 250 } }),
      ['answers_not_found: a', 'clones: a, b'],
    ],
    [
      'a collapse while groups expire',
      shown({ ...COLLAPSED, scored: 54, expired: 10 }, { pair: { same: 64 } }),
      ['collapse: a', 'expired_share: a'],
    ],
  ] as const satisfies readonly (readonly [string, Evidence, readonly string[]])[]) {
    it(`says ${expected.length === 0 ? 'nothing' : expected.join(' and ')} of ${name}`, () => {
      expect(codes(evidence)).toEqual(expected);
    });
  }

  it('says unreadable_truths where agents agree and no answer is right, and waits longer where they do not', () => {
    const wrong = { labelHits: 0, rightRollouts: 0 };
    const of = (groups: number, same: number) => {
      const windows = windowsOf(goodCounts(groups, wrong));
      return evidenceOf({
        agents: [agentEvidence('a', { windows }), agentEvidence('b', { windows })],
        pairs: [pairEvidence('a', 'b', pairCounts(groups, { same }))],
      });
    };
    expect(codes(of(16, 8))).toEqual(['unreadable_truths: a, b']);
    expect(codes(of(15, 8))).toEqual([]);
    expect(codes(of(64, 8))).toEqual([]);
    expect(codes(of(128, 8))).toEqual(['unreadable_truths: a, b']);
  });

  it('says finished_peer where an agent goes on with nobody to learn from, and not of one that is done too', () => {
    const gone = agentEvidence('b', { finished: true, lastArrivalAt: NOW - 60_000 });
    const windows = windowsOf(goodCounts(64, { scored: 60, skipped: 4 }));
    const on = (overrides: object) =>
      evidenceOf({ agents: [agentEvidence('a', { windows, ...overrides }), gone] });
    expect(codes(on({}))).toEqual(['finished_peer: a, b']);
    expect(codes(on({ finished: true }))).toEqual([]);
    expect(codes(on({ lastArrivalAt: NOW - 90_000 }))).toEqual([]);
  });

  it('says step_drift where one uses more prompts a step, once both have gone some steps', () => {
    const trail = { step: 9, incarnation: null, rewind: null };
    const of = (first: number, second: number, steps: number) =>
      evidenceOf({
        agents: [
          agentEvidence('a', { trail, stepSizes: Array.from({ length: steps }, () => first) }),
          agentEvidence('b', { trail, stepSizes: Array.from({ length: steps }, () => second) }),
        ],
      });
    expect(codes(of(16, 8, 8))).toEqual(['step_drift: a, b']);
    expect(codes(of(16, 8, 7))).toEqual([]);
    expect(codes(of(16, 14, 8))).toEqual([]);
  });

  it('puts what is critical first', () => {
    const evidence = shown({ answered: 0, scored: 30, expired: 10 }, { pair: { sameTexts: 250 } });
    const severities = findFindings(evidence).map(({ severity }) => severity);
    expect(severities).toEqual(['critical', 'critical', 'critical']);
  });
});
