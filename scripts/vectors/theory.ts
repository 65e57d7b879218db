import { type Course, driftOf, type Teaching } from '../../src/theory/dynamics.ts';
import { criticalChance, limitOf } from '../../src/theory/limit.ts';
import { openAnswers, openEvenPoint, pluralityAccuracy } from '../../src/theory/open-answers.ts';

import { moveBy } from '../../src/theory/stochastic.ts';
import { follow } from '../../src/theory/trajectory.ts';
import { conserved } from '../../src/theory/two-agents.ts';
import {
  evenPoint,
  meanSpread,
  pull,
  pullSlopeAtHalf,
  rateAtHalf,
  selfPull,
  speed,
  type TieRule,
  voteAccuracy,
} from '../../src/theory/vote-curve.ts';
import type { Runners, Vector } from './vector.ts';

/** One case of the reference's theory: what it is, what we get, and what is expected. */
export interface TheoryCase {
  readonly name: string;
  readonly got: unknown;
  readonly expected: unknown;
}

interface Row {
  readonly K: number;
  readonly p: number;
  readonly V_half: number;
  readonly V_strict: number;
  readonly V_lenient: number;
  readonly phi_half: number;
  readonly phi_strict: number;
  readonly phi_lenient: number;
  readonly h: number;
  readonly q_eta1: number;
  readonly self_drift_eta1: number;
}

interface Run {
  readonly K: number;
  readonly p0: readonly number[];
  readonly t: readonly number[];
  readonly p: readonly (readonly number[])[];
  readonly limit: number;
}

interface Toy {
  readonly K: number;
  readonly mode: 'self' | 'cross';
  readonly t: readonly number[];
  readonly problem1_pA_pB: readonly (readonly number[])[];
  readonly problem2_pA_pB: readonly (readonly number[])[];
  readonly limit: Readonly<Record<'problem1' | 'problem2', readonly number[]>>;
}

type ByMode = Readonly<Record<'self' | 'cross', number>>;

/** Section `theory` of vectors.json. */
export interface Theory {
  readonly table: readonly Row[];
  readonly slopes: readonly { K: number; dphi_at_half: number; q_at_half: number; lambda_: number }[];
  readonly biased_tie_fixed_points: readonly { K: number; tie: TieRule; p_star: number }[];
  readonly toy_two_agents: readonly Toy[];
  readonly two_agent_examples: readonly Run[];
  readonly conserved: readonly { K: number; p0: [number, number]; F_A_minus_F_B: number }[];
  readonly ring3: {
    readonly examples: readonly (Run & { readonly ring: 'paper' | 'code' })[];
    readonly critical_p3: readonly { K: number; p1: number; p2: number; paper: number; code: number }[];
    readonly eigen_K15_N3: readonly (readonly number[])[];
  };
  readonly population: { readonly beta21: ByMode; readonly uniform: ByMode };
  readonly peer_majority_n3_examples: readonly {
    K: number;
    p0: number[];
    limit: number[];
    final: number[];
  }[];
  readonly plurality_multiclass: readonly { K: number; m_wrong: number; V_at_p03: number; p_star: number }[];
}

const RING: Readonly<Record<'paper' | 'code', Teaching>> = { paper: 'predecessor', code: 'successor' };

const courseOf = (k: number, agents: number, teaching: Teaching): Course => ({
  learners: Array.from({ length: agents }, () => ({ k, eta: 1 })),
  teaching,
  wrong: 1,
});

/** Integrated values of the reference differ from exact ones in the eighth digit: so much is no difference. */
const SLACK = 1e-7;

/** What we got, with what is expected in the place of what is as good as it. */
function within(
  got: readonly (readonly number[])[],
  expected: readonly (readonly number[])[],
  slack = SLACK,
) {
  return got.map((row, r) =>
    row.map((value, c) => {
      const wanted = expected[r]?.[c] ?? Number.NaN;
      return Math.abs(value - wanted) < slack ? wanted : value;
    }),
  );
}

/** Every number in section `theory` of vectors.json, through our code. */
export function theoryCases(theory: Theory): readonly TheoryCase[] {
  return [
    ...theory.table.map(curveCase),
    ...theory.slopes.map(({ K, dphi_at_half, q_at_half, lambda_ }) => ({
      name: `slopes K=${K}`,
      got: [pullSlopeAtHalf(K), speed(K, 0.5), rateAtHalf(K)],
      expected: [dphi_at_half, q_at_half, lambda_],
    })),
    ...theory.biased_tie_fixed_points.map(({ K, tie, p_star }) => ({
      name: `fixed point K=${K} ${tie}`,
      got: evenPoint(K, tie),
      expected: p_star,
    })),
    ...theory.toy_two_agents.flatMap(toyCases),
    ...theory.two_agent_examples.map((each) => courseCase('pair', each, 'predecessor')),
    ...theory.conserved.map(({ K, p0: [a, b], F_A_minus_F_B }) => ({
      name: `conserved K=${K}`,
      got: conserved({ k: K, eta: 1 }, { k: K, eta: 1 }, a, b),
      expected: F_A_minus_F_B,
    })),
    ...theory.ring3.examples.map((each) => courseCase(`ring ${each.ring}`, each, RING[each.ring])),
    ...theory.ring3.critical_p3.map(criticalCase),
    eigenCase(theory.ring3.eigen_K15_N3),
    ...populationCases(theory.population),
    ...theory.peer_majority_n3_examples.map(({ K, p0, limit, final }) => ({
      name: `peer majority ${p0}`,
      got: {
        limit: limitOf(courseOf(K, 3, 'peer-majority'), p0),
        final: within(endsOf(courseOf(K, 3, 'peer-majority'), p0), [final])[0],
      },
      expected: { limit: { kind: 'settles', to: limit }, final },
    })),
    ...theory.plurality_multiclass.map(({ K, m_wrong, V_at_p03, p_star }) => ({
      name: `open answers K=${K} m=${m_wrong}`,
      got: [pluralityAccuracy(openAnswers(K, m_wrong), 0.3), openEvenPoint(openAnswers(K, m_wrong))],
      expected: [V_at_p03, p_star],
    })),
  ];
}

/** Vectors of the theory that stand among the others. */
export const runners: Runners = {
  'theory-logodds': ({
    input,
  }: Vector<{ readonly cases: readonly [k: number, c: number, z: number][] }>) => ({
    got: {
      g: input.cases.map(([k, c, z]) => moveBy([{ k, eta: 1 }], [0], [c], () => 2 * z - 1)[0]),
    },
  }),
};

function curveCase(row: Row): TheoryCase {
  const { K, p } = row;
  const v = (['half', 'strict', 'lenient'] as const).map((tie) => [voteAccuracy(K, p, tie), pull(K, p, tie)]);
  return {
    name: `curve K=${K} p=${p}`,
    got: [v, meanSpread(K, p), speed(K, p), p * (1 - p) * selfPull(K, p)],
    expected: [
      [
        [row.V_half, row.phi_half],
        [row.V_strict, row.phi_strict],
        [row.V_lenient, row.phi_lenient],
      ],
      row.h,
      row.q_eta1,
      row.self_drift_eta1,
    ],
  };
}

function toyCases({ K, mode, t, limit, ...rest }: Toy): readonly TheoryCase[] {
  const course = courseOf(K, 2, mode === 'self' ? 'self' : 'predecessor');
  return [
    { name: 'problem1' as const, start: [0.9, 0.2], p: rest.problem1_pA_pB },
    { name: 'problem2' as const, start: [0.2, 0.9], p: rest.problem2_pA_pB },
  ].map(({ name, start, p }) => ({
    name: `toy ${mode} K=${K} ${name}`,
    got: { p: within(chances(course, start, t), p), limit: limitOf(course, start) },
    expected: { p, limit: { kind: 'settles', to: limit[name] } },
  }));
}

function courseCase(what: string, { K, p0, t, p, limit }: Run, teaching: Teaching): TheoryCase {
  const course = courseOf(K, p0.length, teaching);
  return {
    name: `${what} K=${K} ${p0}`,
    got: { p: within(chances(course, p0, t), p), limit: limitOf(course, p0) },
    expected: { p, limit: { kind: 'settles', to: p0.map(() => limit) } },
  };
}

function criticalCase({ K, p1, p2, paper, code }: Theory['ring3']['critical_p3'][number]): TheoryCase {
  const turn = (teaching: Teaching) => criticalChance(courseOf(K, 3, teaching), [p1, p2, 0.5], 2);
  return {
    name: `critical K=${K} (${p1}, ${p2})`,
    // Given to six digits.
    got: within([[turn('predecessor') ?? 0, turn('successor') ?? 0]], [[paper, code]], 2e-6)[0],
    expected: [paper, code],
  };
}

/** Eigenvalues of λ times a cyclic permutation of three: λ, and λ(−1/2 ± i√3/2). λ is read off our drift near p = 1/2. */
function eigenCase(expected: readonly (readonly number[])[]): TheoryCase {
  const tiny = 1e-6;
  const drift = driftOf(courseOf(15, 3, 'predecessor'))([0.5 + tiny, 0.5 + tiny, 0.5 + tiny]);
  // dp = p(1−p) dl, so a push of `tiny` in p answers with λ · tiny in dp.
  const rate = (0.25 * (drift[0] ?? 0)) / tiny;
  return {
    name: 'eigenvalues K=15 N=3',
    got: within(
      [
        [rate, 0],
        [-rate / 2, (rate * Math.sqrt(3)) / 2],
      ],
      expected,
      1e-6,
    ),
    expected,
  };
}

/** P(p > 1/2) and P(p_A + p_B > 1) by a fixed grid of quantiles, through the limits of our courses. */
function populationCases({ beta21, uniform }: Theory['population']): readonly TheoryCase[] {
  return (['self', 'cross'] as const).flatMap((mode) =>
    [
      { name: 'Beta(2, 1)', quantile: Math.sqrt, expected: beta21[mode] },
      { name: 'uniform', quantile: (u: number) => u, expected: uniform[mode] },
    ].map(({ name, quantile, expected }) => {
      // An odd grid, shifted for the second agent, so that no start lies on the separatrix.
      const size = 60;
      const grid = (shift: number) => Array.from({ length: size }, (_, at) => quantile((at + shift) / size));
      const course = courseOf(8, 2, mode === 'self' ? 'self' : 'predecessor');
      const drift = driftOf(course);
      let sum = 0;
      for (const a of grid(0.37)) {
        for (const b of grid(0.61)) {
          const limit = limitOf(course, [a, b], drift);
          if (limit.kind === 'settles') sum += ((limit.to[0] ?? 0) + (limit.to[1] ?? 0)) / 2;
        }
      }
      const got = sum / size ** 2;
      return { name: `population ${name} ${mode}`, got: Math.abs(got - expected) < 0.01, expected: true };
    }),
  );
}

function chances(course: Course, start: readonly number[], times: readonly number[]) {
  return follow(course, start, times).map(({ p }) => p);
}

/** Where the reference ended its longest examples. */
function endsOf(course: Course, start: readonly number[]) {
  return chances(course, start, [300]);
}
