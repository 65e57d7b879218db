import { type Rollout, votersOf } from '../domain/bucket.ts';
import type { Part } from '../domain/signals.ts';
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
    const discussions = collectDiscussions(input);
    const scorers = [...discussions.values()].flatMap(({ scorer }) => scorer.map(({ agent }) => agent));
    if (scorers.length === 0) return withoutScorer(input);
    return rewardEach({
      source: 'scorer',
      teachers: [...new Set(scorers)].sort(),
      outcomeOf: (rollout) => outcomeOf(rollout, discussions),
    });
  },
};

/** The rollouts of one discussion, part by part; in a sound one each has one. */
type Discussion = Readonly<Record<Part, { readonly agent: string; readonly rollout: Rollout }[]>>;

/** By interaction. Late rollouts are left out: the others may have been rewarded before. */
function collectDiscussions({ teachers }: JudgeInput): ReadonlyMap<string, Discussion> {
  const discussions = new Map<string, Discussion>();
  for (const { agent, group } of teachers) {
    for (const rollout of group === null ? [] : votersOf(group)) {
      const { part, interaction } = rollout.signals ?? {};
      if (part === undefined || interaction === undefined) continue;
      const known = discussions.get(interaction) ?? { solver: [], evaluator: [], scorer: [] };
      known[part].push({ agent, rollout });
      discussions.set(interaction, known);
    }
  }
  return discussions;
}

/** Solver (τ − 1) / 2, evaluator 1 − that; scorer 0 for a verdict that can be read, else −1. */
export function comasReward(part: Part, tau: 1 | 2 | 3 | null): number | null {
  if (part === 'scorer') return tau === null ? -1 : 0;
  if (tau === null) return null;
  const solved = (tau - 1) / 2;
  return part === 'solver' ? solved : 1 - solved;
}

function outcomeOf({ signals, late }: Rollout, discussions: ReadonlyMap<string, Discussion>): Outcome {
  const { part, interaction, tau } = signals ?? {};
  if (part === undefined || interaction === undefined) {
    return { reward: null, reason: 'It came without its part or its interaction id.' };
  }
  if (part === 'scorer') return { reward: tau === undefined ? -1 : 0 };
  const discussion = discussions.get(interaction);
  const [verdict] = discussion?.scorer ?? [];
  if (discussion === undefined || verdict === undefined) {
    return { reward: null, reason: `No scorer came for ${name(interaction)}.` };
  }
  // The verdict is about one text: another one with the same id, as a restarted trainer sends, is not what it judged.
  if (late && discussion[part].length > 0) {
    return { reward: null, reason: `Another ${part} of ${name(interaction)} was there before it.` };
  }
  const repeated = (['scorer', part] as const).find((each) => discussion[each].length > 1);
  if (repeated !== undefined) {
    const reason = `Several rollouts came as ${repeated} of ${name(interaction)}: give each triple of solver, evaluator and scorer its own id.`;
    return { reward: null, reason };
  }
  const reward = comasReward(part, verdict.rollout.signals?.tau ?? null);
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
