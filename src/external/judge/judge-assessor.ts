import { LRUCache } from 'lru-cache';
import type { NewRollout } from '../../domain/arrival.ts';
import type { Cohort } from '../../domain/cohort.ts';
import type { Assessor } from '../../service/assess.ts';
import type { RolloutInput } from '../../service/submission.ts';
import { Budget } from '../llm/budget.ts';
import type { LlmJudge } from './llm-judge.ts';
import type { Question, QuestionKind } from './question.ts';
import type { Verdict } from './read-verdict.ts';

/** What a cohort asks of the judge. */
export interface JudgeRules {
  readonly question: QuestionKind;
  /** Whether the judge is told the ground truth. The reward then depends on it. */
  readonly tellTruth: boolean;
  /** What this cohort may spend beside what the server may; null: without a limit of its own. */
  readonly maxRequests: number | null;
  readonly maxTokens: number | null;
}

/** Budgets that are remembered; those of cohorts that were heard of last. */
const COHORTS_KEPT = 10_000;

/**
 * Lets a judge score the rollouts of cohorts of method `llm-judge`. A caller that leaves meanwhile changes nothing: its
 * rollouts are judged and stored, and whoever sends them again meets the same verdicts.
 */
export class JudgeAssessor implements Assessor {
  readonly #judge: LlmJudge;
  readonly #shared: Budget;
  readonly #rulesOf: (cohort: Cohort) => JudgeRules | null;
  readonly #budgets = new LRUCache<string, Budget>({ max: COHORTS_KEPT });

  /** `rulesOf` is null for a cohort that wants no judge; `shared` is what all cohorts may spend together. */
  constructor(judge: LlmJudge, shared: Budget, rulesOf: (cohort: Cohort) => JudgeRules | null) {
    this.#judge = judge;
    this.#shared = shared;
    this.#rulesOf = rulesOf;
  }

  concerns({ cohort, group }: Parameters<Assessor['concerns']>[0]): boolean {
    return group.split === 'train' && this.#rulesOf(cohort) !== null;
  }

  async assess({
    cohort,
    group,
    rollouts,
  }: Parameters<Assessor['assess']>[0]): Promise<readonly NewRollout[]> {
    const rules = this.#rulesOf(cohort);
    if (rules === null) return rollouts;
    const shared = {
      kind: rules.question,
      problem: group.problem,
      reference: rules.tellTruth ? group.groundTruth : null,
    };
    const completions = group.rollouts.map(({ content }) => judgeable(content));
    const questions = completions.flatMap((completion): Question[] =>
      completion === null ? [] : [{ ...shared, completion }],
    );
    const budgets = [this.#shared, this.#budgetOf(cohort, rules)];
    const verdicts = await this.#judge.judge(cohort.name, questions, budgets);
    let next = 0;
    return rollouts.map((rollout, place) => {
      const verdict = completions[place] == null ? NOTHING_TO_JUDGE : (verdicts[next++] ?? NOTHING_TO_JUDGE);
      return withVerdict(rollout, verdict);
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

const NOTHING_TO_JUDGE: Verdict = { kind: 'fault', reason: 'There is no completion to judge.' };

/** The text that the judge sees; null where there is none. */
function judgeable(content: RolloutInput['content']): string | null {
  switch (content.kind) {
    case 'completion':
      return content.text.trim() === '' ? null : content.text;
    case 'given':
      return content.answer?.trim() || null;
    case 'unreadable':
      return null;
  }
}

/** The judge's word alone counts: a score that came with the rollout is not looked at. */
function withVerdict(rollout: NewRollout, verdict: Verdict): NewRollout {
  const { score: _score, fault: _fault, ...others } = rollout.signals ?? {};
  const said = verdict.kind === 'score' ? { score: verdict.score } : { fault: verdict.reason };
  return { ...rollout, signals: { ...others, ...said } };
}
