import { type Rollout, type Truth, votersOf } from '../domain/bucket.ts';
import { discussionOf } from '../domain/supervision.ts';
import { type Outcome, rewardEach } from './each-rollout.ts';
import { isTrue } from './ground-truth.ts';
import { turnBonus } from './maporl-bonus.ts';
import { type TurnScores, turnReturn } from './maporl-returns.ts';
import type { JudgeInput, RewardMethod } from './method.ts';
import { withoutAnswers } from './verdicts.ts';

/**
 * MAPoRL (arXiv 2502.18439): all agents answer in turns, having read each other, and an answer is paid for what it
 * and the later turns scored. A score is the verifier's, else whether the answer is the ground truth. A conversation
 * is what has one interaction id; it ends at the last turn that anybody sent.
 */
export const maporl: RewardMethod = {
  name: 'maporl',
  needs: ['interaction', 'turn'],
  alsoNeeds: (signals, hasTruth) => (hasTruth || signals?.score !== undefined ? [] : ['score']),
  needsTruth: () => false,
  mayPayByTruth: true,
  waitsFor: discussionOf,
  judge(input) {
    const { cohort, agent, truth, teachers } = input;
    const absent = teachers.filter(({ group }) => group === null || group.state === 'empty');
    if (absent.length > 0) return withoutAnswers(cohort, absent);
    const conversations = collectConversations(input);
    const at = cohort.agents.findIndex(({ name }) => name === agent.name);
    const sent = teachers.flatMap(({ group }) => (group === null ? [] : votersOf(group)));
    const isGraded = truth !== null && sent.some(({ signals }) => signals?.score === undefined);
    return rewardEach({
      source: isGraded ? 'ground-truth' : 'verifier',
      teachers: teachers.map(({ agent: name }) => name),
      outcomeOf: (rollout) => outcomeOf(rollout, conversations, at, input),
    });
  },
};

/** The scores of one conversation, or why it has no rewards. */
type Conversation =
  | { readonly kind: 'whole'; readonly scores: TurnScores }
  | { readonly kind: 'broken'; readonly reason: string };

type Cells = Map<number, Map<string, readonly Rollout[]>>;

/** By interaction; late rollouts are left out, since the others may have been rewarded without them. */
function collectConversations(input: JudgeInput): ReadonlyMap<string, Conversation> {
  const tables = new Map<string, Cells>();
  for (const { agent, group } of input.teachers) {
    for (const rollout of group === null ? [] : votersOf(group)) {
      const { interaction, turn } = rollout.signals ?? {};
      if (interaction === undefined || turn === undefined) continue;
      const table: Cells = tables.get(interaction) ?? new Map();
      const row = table.get(turn) ?? new Map<string, readonly Rollout[]>();
      row.set(agent, [...(row.get(agent) ?? []), rollout]);
      tables.set(interaction, table.set(turn, row));
    }
  }
  return new Map([...tables].map(([interaction, table]) => [interaction, readConversation(table, input)]));
}

function readConversation(table: Cells, { cohort, truth }: JudgeInput): Conversation {
  const scores: number[][] = [];
  // One turn more than there are rows would be the first gap, so a turn of 10^9 costs nothing.
  for (let turn = 0; scores.length < table.size; turn++) {
    const row: number[] = [];
    for (const { name } of cohort.agents) {
      const [rollout, second] = table.get(turn)?.get(name) ?? [];
      if (rollout === undefined) return broken(`turn ${turn} of "${name}" is missing`);
      if (second !== undefined) return broken(`"${name}" sent turn ${turn} twice`);
      const score = scoreOf(rollout, truth);
      if (score === null)
        return broken(`turn ${turn} of "${name}" has no score, and there is no ground truth`);
      row.push(score);
    }
    scores.push(row);
  }
  return { kind: 'whole', scores };
}

function broken(reason: string): Conversation {
  return { kind: 'broken', reason: `Its conversation is not whole: ${reason}.` };
}

function scoreOf({ signals, answer }: Rollout, truth: Truth | null): number | null {
  if (signals?.score !== undefined) return signals.score;
  return truth === null ? null : isTrue(answer, truth) ? 1 : 0;
}

function outcomeOf(
  { signals, late }: Rollout,
  conversations: ReadonlyMap<string, Conversation>,
  agent: number,
  { cohort }: JudgeInput,
): Outcome {
  const { interaction, turn } = signals ?? {};
  const conversation = interaction === undefined ? undefined : conversations.get(interaction);
  if (late || conversation === undefined || turn === undefined) {
    return { reward: null, reason: 'It came after its conversation was rewarded.' };
  }
  if (conversation.kind === 'broken') return { reward: null, reason: conversation.reason };
  const { scores } = conversation;
  const place = { turn, agent, finish: scores.length - 1 };
  const { maporl: rules } = cohort.options;
  const earned = turnReturn(scores, place, rules);
  if (earned === null) return { reward: null, reason: 'Its conversation had ended before.' };
  return { reward: earned + turnBonus(scores, place, rules) };
}
