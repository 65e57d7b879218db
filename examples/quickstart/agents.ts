import type { Skills } from './policy.ts';

/** One of the demo agents: which policy it starts as, and how it behaves. */
export interface DemoAgent {
  readonly name: string;
  readonly skills: Skills;
  readonly opening: string;
  /** How it writes an answer: model families differ, and `60` and `60.0` still count as the same. */
  readonly write: (answer: number) => string;
  /** Milliseconds that sampling one step takes, about. */
  readonly paceMs: number;
}

/** In ring order, as in cohorts.yaml. Each is good at other problems than its teacher. */
export const AGENTS: readonly DemoAgent[] = [
  {
    name: 'ada',
    skills: { percent: 0.75, units: 0.65, meeting: 0.35, posts: 0.35 },
    opening: 'Step by step.',
    write: (answer) => `${answer}`,
    paceMs: 30,
  },
  {
    name: 'bo',
    skills: { percent: 0.35, units: 0.6, meeting: 0.65, posts: 0.3 },
    opening: 'Okay, so we are asked for one number.',
    write: (answer) => answer.toFixed(1),
    paceMs: 60,
  },
  {
    name: 'cleo',
    skills: { percent: 0.35, units: 0.25, meeting: 0.35, posts: 0.65 },
    opening: 'Let us compute.',
    write: (answer) => `${answer}`,
    paceMs: 90,
  },
];

/** Rollouts per prompt, as `k` in cohorts.yaml. */
export const K = 8;
export const STEPS = 24;
/** Every problem comes once in so many steps. */
export const STEPS_PER_EPOCH = 2;

/** A stretch of steps, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Two epochs each. */
export const FIRST_STEPS: Span = { from: 1, to: 4 };
export const LAST_STEPS: Span = { from: STEPS - 3, to: STEPS };
