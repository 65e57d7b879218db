import type { ArrivalOutcome } from '../domain/arrival.ts';
import type { Agent, Cohort } from '../domain/cohort.ts';
import { countNoun } from '../domain/count-noun.ts';
import { ServiceError } from '../domain/errors.ts';
import { methodOf } from '../methods/registry.ts';
import type { Refused } from '../store/store.ts';
import { deletedWhileWaiting, leftBeforeStored } from './refusals.ts';
import { type GroupInput, hasTests } from './submission.ts';

/** Problems named in one error. */
const SHOWN = 20;

/** Refuses a submission that can never be right, before anything of it is stored. */
export function checkGroups(cohort: Cohort, agent: Agent, groups: readonly GroupInput[]): void {
  const tooBig = groups.filter(({ split, rollouts }) => split === 'train' && rollouts.length > agent.k);
  const [first] = tooBig;
  if (first !== undefined) {
    throw new ServiceError(
      'too_many_rollouts',
      `Agent "${agent.name}" has k=${agent.k}, but ${first.rollouts.length} rollouts came for prompt "${first.promptId}". Set k of the agent to the number of rollouts per prompt (num_generations, n_samples_per_prompt, rollout.n), or give each visit its round.`,
      { details: { k: agent.k, prompt_ids: tooBig.slice(0, SHOWN).map(({ promptId }) => promptId) } },
    );
  }
  const unread = groups.find(({ mode }) => mode === 'regex' && cohort.answers.pattern === null);
  if (unread !== undefined) {
    throw new ServiceError(
      'invalid_request',
      `Prompt "${unread.promptId}" asks for mode regex, but cohort "${cohort.name}" has no pattern: set answers.pattern with answers.mode regex.`,
    );
  }
  if (!methodOf(cohort.method).needsTruth(cohort)) return;
  const without = groups.filter((group) => group.split === 'train' && !canBeGraded(group));
  if (without.length === 0) return;
  throw new ServiceError(
    'ground_truth_required',
    `Method "${cohort.method}" rewards by the ground truth, and ${countNoun(without.length, 'prompt')} came without: send "ground_truth" with every group, or "test_code" with mode code.${faultOf(without)}`,
    { details: { prompt_ids: without.slice(0, SHOWN).map(({ promptId }) => promptId) } },
  );
}

/** What is wrong with the first truth that came and cannot be used. */
function faultOf(groups: readonly GroupInput[]): string {
  const fault = groups.find(({ truthFault }) => truthFault !== undefined)?.truthFault;
  return fault === undefined ? '' : ` A ground truth that came ${fault}.`;
}

/** What the store refused, as one error that names every refused group; null when it took all. The others are stored. */
export function findRefusal(
  cohort: Cohort,
  agent: Agent,
  outcomes: readonly (ArrivalOutcome | Refused)[],
): ServiceError | null {
  const conflicts = outcomes.filter((outcome) => outcome.kind === 'rollout-conflict');
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    return new ServiceError(
      'rollout_conflict',
      `Rollout "${conflict.rolloutId}" of agent "${agent.name}" (round ${conflict.round}) is already stored with another text, which stays. A rollout id names one sample: send a new round, step or incarnation with new samples. The other groups of this submission are stored.`,
      {
        details: {
          conflicts: conflicts
            .slice(0, SHOWN)
            .map(({ rolloutId, round }) => ({ rollout_id: rolloutId, round })),
        },
      },
    );
  }
  const truths = outcomes.filter((outcome) => outcome.kind === 'truth-conflict');
  const [truth] = truths;
  if (truth !== undefined) {
    return new ServiceError(
      'ground_truth_conflict',
      `A prompt id must name one problem, but it came with ground truth "${shorten(truth.sent)}" after "${shorten(truth.stored)}". The agents' datasets number their problems differently: give both the same ids. The other groups of this submission are stored.`,
      {
        details: {
          conflicts: truths
            .slice(0, SHOWN)
            .map(({ stored, sent, round }) => ({ stored: shorten(stored), sent: shorten(sent), round })),
        },
      },
    );
  }
  const crowded = outcomes.find((outcome) => outcome.kind === 'too-many-rounds');
  if (crowded !== undefined) {
    return new ServiceError(
      'too_many_rounds',
      `Round ${crowded.round} of prompt "${shorten(crowded.promptId)}" has no place: ${crowded.limit} rounds of one prompt are kept, and these are newer or still open. A prompt id names one problem: give every problem an id of its own. The other groups of this submission are stored.`,
      { details: { limit: crowded.limit, round: crowded.round } },
    );
  }
  const overfull = outcomes.find((outcome) => outcome.kind === 'overfull');
  if (overfull !== undefined) {
    return new ServiceError(
      'too_many_rollouts',
      `Round ${overfull.round} of a prompt has its ${agent.k} rollouts of agent "${agent.name}" and more: one group holds ${overfull.limit} at most, late ones included. Give each visit to a prompt its own round or step. The other groups of this submission are stored.`,
      { details: { k: agent.k, limit: overfull.limit, round: overfull.round } },
    );
  }
  if (outcomes.some((outcome) => outcome.kind === 'left')) return leftBeforeStored();
  if (outcomes.some((outcome) => outcome.kind === 'unknown-cohort')) return deletedWhileWaiting(cohort);
  const full = outcomes.find((outcome) => outcome.kind === 'full');
  if (full !== undefined) {
    return new ServiceError(
      'too_many_open_buckets',
      `Cohort "${cohort.name}" has ${full.limit} prompts that wait for an agent already. Is a peer missing? Wait and send the same submission again, or raise limits.open_buckets.`,
      { details: { limit: full.limit } },
    );
  }
  return null;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Against its ground truth, or by tests that its programs are run on. */
export function canBeGraded({ groundTruth, code }: GroupInput): boolean {
  return groundTruth !== null || hasTests(code);
}
