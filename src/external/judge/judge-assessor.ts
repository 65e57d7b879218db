import { LRUCache } from 'lru-cache';
import type { NewRollout } from '../../domain/arrival.ts';
import type { GroundTruth } from '../../domain/bucket.ts';
import type { Cohort } from '../../domain/cohort.ts';
import type { JudgeRules } from '../../domain/method-options.ts';
import { NOTHING_TO_JUDGE } from '../../domain/signals.ts';
import type { Assessor } from '../../service/assess.ts';
import type { RolloutInput } from '../../service/submission.ts';
import { Budget } from '../llm/budget.ts';
import type { LlmJudge } from './llm-judge.ts';
import type { Question } from './question.ts';
import type { Verdict } from './read-verdict.ts';

/** Budgets that are remembered; those of cohorts that were heard of last. */
const COHORTS_KEPT = 10_000;

/**
 * Lets a judge score the rollouts of cohorts of method `llm-judge`. A caller that leaves meanwhile changes nothing: its
 * rollouts are judged and stored, and whoever sends them again meets the same verdicts.
 */
export class JudgeAssessor implements Assessor {
  readonly #judge: LlmJudge;
  readonly #shared: Budget;
  readonly #budgets = new LRUCache<string, Budget>({ max: COHORTS_KEPT });

  /** `shared` is what all cohorts may spend together. */
  constructor(judge: LlmJudge, shared: Budget) {
    this.#judge = judge;
    this.#shared = shared;
  }

  concerns({ cohort, group }: Parameters<Assessor['concerns']>[0]): boolean {
    return group.split === 'train' && cohort.method === 'llm-judge';
  }

  async assess({
    cohort,
    group,
    rollouts,
    carriesNull,
  }: Parameters<Assessor['assess']>[0]): Promise<readonly NewRollout[]> {
    const rules = cohort.options.judge;
    const shared = {
      kind: rules.question,
      problem: group.problem,
      reference: rules.tellTruth ? referenceOf(group.groundTruth) : null,
    };
    const asked = rollouts.map(({ signals }, place) =>
      // What the trainer knows already costs nothing.
      signals?.score === undefined ? judgeable(group.rollouts[place]?.content) : null,
    );
    const questions = asked.flatMap((completion): Question[] =>
      completion === null ? [] : [{ ...shared, completion }],
    );
    const budgets = [this.#shared, this.#budgetOf(cohort, rules)];
    // Who can be told of a failure is told at once; who cannot waits for the judge to come back.
    const patienceMs = carriesNull ? 0 : cohort.barrier.deadlineMs;
    const verdicts = await this.#judge.judge(cohort.name, questions, budgets, patienceMs);
    let next = 0;
    return rollouts.map((rollout, place) => {
      const verdict = asked[place] == null ? undefined : verdicts[next++];
      return withVerdict(rollout, verdict ?? NOTHING);
    });
  }

  #budgetOf({ name }: Cohort, { maxRequests, maxTokens }: JudgeRules): Budget {
    const known = this.#budgets.get(name);
    if (known !== undefined) return known;
    const budget = new Budget({ requests: maxRequests, tokens: maxTokens, cost: null });
    this.#budgets.set(name, budget);
    return budget;
  }
}

const NOTHING: Verdict = { kind: 'fault', reason: NOTHING_TO_JUDGE, mayPass: false, since: 0 };

/** Answers each of which is right are one reference. */
function referenceOf(truth: GroundTruth | null): string | null {
  return truth === null || typeof truth === 'string' ? truth : truth.join(' or ');
}

/** The text that the judge sees; null where there is none. */
function judgeable(content: RolloutInput['content'] | undefined): string | null {
  switch (content?.kind) {
    case 'completion':
      return content.text.trim() === '' ? null : content.text;
    case 'given':
      return content.answer?.trim() || null;
    default:
      return null;
  }
}

function withVerdict(rollout: NewRollout, verdict: Verdict): NewRollout {
  if (rollout.signals?.score !== undefined) return rollout;
  const said = verdict.kind === 'score' ? { score: verdict.score } : { fault: verdict.reason };
  return { ...rollout, signals: { ...rollout.signals, ...said } };
}
