/** How Co-rewarding-II moves its teacher towards the policy: ref ← a · policy + (1 − a) · ref. */
export interface EmaSchedule {
  /** a at step 1, 0 to 1. */
  readonly start: number;
  /** a from step T + 1 on, 0 to 1. */
  readonly end: number;
  /** T: training steps over which `start` falls to `end`; null: not told, so there is no schedule. */
  readonly steps: number | null;
  /** The teacher is moved at every step that is a multiple of this. */
  readonly interval: number;
}

/** How MAPoRL turns the scores of a conversation into the return of one answer. */
export interface ReturnRules {
  /** 0 to 1. Only `discounted` reads it. */
  readonly gamma: number;
  readonly horizon: 'discounted' | 'last' | 'current';
  /** Whose scores count beside the answer's own: those of all agents (their mean), or the agent's own. */
  readonly share: 'all' | 'individual';
}

/** What MAPoRL pays for changing an answer, and for changing those of others. */
export interface BonusRules {
  /** a0 to a3, each at least 0. All 0: no bonus. */
  readonly alpha: readonly [number, number, number, number];
  /** `paper` pays for helping others; the reference code has that sign the other way round. */
  readonly convention: 'paper' | 'code';
}

/** What a cohort asks of the language model that judges. */
export interface JudgeRules {
  /** `score`: a number from 0 to 1. `verdict`: yes is 1, no is 0. */
  readonly question: 'score' | 'verdict';
  /** Whether the judge is told the ground truth; then the reward depends on it. */
  readonly tellTruth: boolean;
  /** What a rollout whose judge failed is paid in a protocol that knows no null: the mean of its group, or 0. */
  readonly onFailure: 'group-mean' | 'zero';
  /** What this cohort may spend beside what the server may; null: without a limit of its own. */
  readonly maxRequests: number | null;
  readonly maxTokens: number | null;
}

/** Settings that one method reads. Those of the other methods have their defaults. */
export interface MethodOptions {
  readonly rent: {
    /** A rollout without an answer gets `unparseableReward` for minus its entropy. */
    readonly baseFormat: boolean;
    readonly unparseableReward: number;
  };
  readonly coRewarding: {
    /** `grade`: equal keys are equal answers, as in any vote. `exact`: only equal texts, as in the reference. */
    readonly match: 'grade' | 'exact';
    readonly ema: EmaSchedule;
  };
  readonly comas: {
    /** How a verdict is read from a scorer's completion. */
    readonly parser: 'strict' | 'marti';
  };
  readonly maporl: ReturnRules & BonusRules;
  readonly judge: JudgeRules;
  readonly random: {
    /** Share of the rollouts that get 1. */
    readonly probability: number;
  };
  readonly inverted: {
    /** What is turned round: being the true answer, or being the group's own majority. */
    readonly label: 'ground-truth' | 'self-vote';
    /** What a rollout without an answer gets. */
    readonly abstention: 0 | 1;
  };
}

export const DEFAULT_METHOD_OPTIONS: MethodOptions = {
  rent: { baseFormat: false, unparseableReward: -7 },
  coRewarding: { match: 'grade', ema: { start: 0.01, end: 1e-5, steps: null, interval: 1 } },
  comas: { parser: 'strict' },
  maporl: {
    gamma: 0.3,
    horizon: 'discounted',
    share: 'all',
    alpha: [0, 0, 0, 0],
    convention: 'paper',
  },
  judge: { question: 'score', tellTruth: false, onFailure: 'group-mean', maxRequests: null, maxTokens: null },
  random: { probability: 0.5 },
  inverted: { label: 'ground-truth', abstention: 0 },
};
