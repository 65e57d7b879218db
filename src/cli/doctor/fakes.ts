import type { CohortView } from './cohort-view.ts';

/** One rollout of the dry step, as it is sent, and whether it gives the answer that is to win. */
export interface Fake {
  readonly isRight: boolean;
  readonly wire: Readonly<Record<string, unknown>>;
}

/** Methods that only code inside a trainer can serve, or that would cost money. */
const NOT_FAKED: Readonly<Record<string, string>> = {
  comas: 'method comas rewards discussions, which are not faked',
  maporl: 'method maporl rewards conversations, which are not faked',
  'llm-judge': 'method llm-judge would ask its judge, which is not done for fakes',
};

/** How a completion states its answer; a mode that is not here gets the answer as it is. */
const WRITTEN: Readonly<Record<string, (answer: string) => string>> = {
  boxed: (answer) => `The answer is \\boxed{${answer}}.`,
  auto: (answer) => `The answer is \\boxed{${answer}}.`,
  gsm8k: (answer) => `That makes ${answer}.\n#### ${answer}`,
  'answer-tag': (answer) => `<answer>${answer}</answer>`,
  number: (answer) => `The answer is ${answer}.`,
};

const RIGHT_NUMBER = '4';
const WRONG_NUMBERS = ['11', '13', '17', '19', '23', '29', '31', '37', '41', '43'];
const WRONG_CHOICES = ['B', 'C', 'D'];

/** Why no dry step is made in such a cohort; null where one is. */
export function whyNotFaked({ method, mode }: CohortView): string | null {
  if (mode === 'code') return 'answers are programs, which are not faked';
  return NOT_FAKED[method] ?? null;
}

/** The answer of the fakes that is to win. */
export function rightAnswer({ mode }: Pick<CohortView, 'mode'>): string {
  return mode === 'choice' ? 'A' : RIGHT_NUMBER;
}

/** The rollouts of one group of `k`: half of them right, or as many as the cohort's vote asks for, the right ones first. */
export function makeFakes(cohort: CohortView, k: number): readonly Fake[] {
  const needed = Math.max(Math.ceil(k / 2), Math.ceil(cohort.threshold * k));
  // One against one is a tie.
  const right = k === 2 && cohort.tie !== 'first' ? 2 : Math.min(k, needed);
  const wrong = cohort.mode === 'choice' ? WRONG_CHOICES : WRONG_NUMBERS;
  return Array.from({ length: k }, (_, index) => {
    const isRight = index < right;
    const answer = isRight ? rightAnswer(cohort) : (wrong[(index - right) % wrong.length] ?? '');
    return { isRight, wire: { id: `fake-${index}`, index, ...stated(cohort, answer), ...measured(cohort) } };
  });
}

function stated({ mode, reasoning }: CohortView, answer: string): Readonly<Record<string, unknown>> {
  const write = WRITTEN[mode];
  if (write === undefined) return { answer };
  const thought = reasoning === 'opened-by-prompt' ? 'A fake thinks.</think>\n' : '';
  return { completion: `${thought}${write(answer)}` };
}

function measured({ method }: CohortView): Readonly<Record<string, unknown>> {
  if (method === 'rent') return { mean_entropy: 0.5 };
  return method === 'intuitor' ? { mean_kl_u_p: 1.5 } : {};
}
