import { type Rollout, votersOf } from '../domain/bucket.ts';
import { discussionOf } from '../domain/supervision.ts';
import { type Outcome, rewardEach } from './each-rollout.ts';
import type { JudgeInput, Judgement, RewardMethod } from './method.ts';
import { unrewarded } from './verdicts.ts';

/**
 * CoMAS (arXiv 2510.08529): a solver writes a solution, an evaluator criticises it, a scorer gives a verdict τ from 1
 * to 3. What links the three is the interaction id, whichever agents they come from.
 */
export const comas: RewardMethod = {
  name: 'comas',
  needs: ['interaction', 'part'],
  needsTruth: () => false,
  waitsFor: discussionOf,
  judge(input) {
    if (input.agent.role === 'teacher') return unrewarded();
    const verdicts = collectVerdicts(input);
    if (verdicts.size === 0) return withoutScorer(input);
    return rewardEach({
      source: 'scorer',
      teachers: [
        ...new Set([...verdicts.values()].flatMap((found) => found.map(({ agent }) => agent))),
      ].sort(),
      outcomeOf: (rollout) => outcomeOf(rollout, verdicts),
    });
  },
};

interface Verdict {
  readonly agent: string;
  /** Null: the scorer's text has none. */
  readonly tau: 1 | 2 | 3 | null;
}

/** By interaction. Late scorers are left out: the solvers that they speak of may have been rewarded before. */
function collectVerdicts({ teachers }: JudgeInput): ReadonlyMap<string, readonly Verdict[]> {
  const verdicts = new Map<string, Verdict[]>();
  for (const { agent, group } of teachers) {
    for (const { signals } of group === null ? [] : votersOf(group)) {
      if (signals?.part !== 'scorer' || signals.interaction === undefined) continue;
      const known = verdicts.get(signals.interaction) ?? [];
      known.push({ agent, tau: signals.tau ?? null });
      verdicts.set(signals.interaction, known);
    }
  }
  return verdicts;
}

/** Solver (τ − 1) / 2, evaluator 1 − that; scorer 0 for a verdict that can be read, else −1. */
export function comasReward(part: 'solver' | 'evaluator' | 'scorer', tau: 1 | 2 | 3 | null): number | null {
  if (part === 'scorer') return tau === null ? -1 : 0;
  if (tau === null) return null;
  const solved = (tau - 1) / 2;
  return part === 'solver' ? solved : 1 - solved;
}

function outcomeOf({ signals }: Rollout, verdicts: ReadonlyMap<string, readonly Verdict[]>): Outcome {
  const { part, interaction, tau } = signals ?? {};
  if (part === undefined || interaction === undefined) {
    return { reward: null, reason: 'It came without its part or its interaction id.' };
  }
  if (part === 'scorer') return { reward: tau === undefined ? -1 : 0 };
  const [verdict, second] = verdicts.get(interaction) ?? [];
  if (verdict === undefined) return { reward: null, reason: `No scorer came for ${name(interaction)}.` };
  if (second !== undefined) {
    const reason = `Several scorers came for ${name(interaction)}: give each triple of solver, evaluator and scorer its own id.`;
    return { reward: null, reason };
  }
  const reward = comasReward(part, verdict.tau);
  if (reward !== null) return { reward };
  return { reward: null, reason: `The scorer of ${name(interaction)} gave no verdict that can be read.` };
}

function name(interaction: string): string {
  return `interaction "${interaction}"`;
}

/** All that was waited for is here, and nobody scored anything. */
function withoutScorer({ cohort, teachers }: JudgeInput): Judgement {
  const absent = teachers.flatMap(({ agent, group }) =>
    group?.state === 'empty' && group.cause === 'deadline' ? [agent] : [],
  );
  return {
    status: absent.length > 0 ? 'expired' : 'unlabeled',
    label: null,
    share: null,
    teachers: [],
    source: 'none',
    staleness: 0,
    reason:
      absent.length > 0
        ? `No scorer came for this prompt, and ${absent.join(', ')} sent no rollouts before the deadline.`
        : 'No scorer came for this prompt.',
    reward: () => cohort.unlabeledReward,
  };
}
