import type { Problem, Topic } from './problems.ts';
import type { Random } from './random.ts';

/** What an agent is good at: its chance of the right answer to a new problem of each topic, 0 to 1. */
export type Skills = Readonly<Record<Topic, number>>;

/** One sampled answer: which solution of the problem, or null for none (it ran out of tokens). */
export type Choice = number | null;

/** How far a problem's chance strays from the agent's skill, to both sides. */
const SPREAD = 0.25;
/** Chance to give no answer. */
const GIVES_NONE = 0.06;
/** Each agent prefers one mistake per problem: this share of its wrong answers. */
const FAVOURITE = 0.6;
/** How far one step may move. */
const LEARNING_RATE = 1.5;

/**
 * A stand-in for a language model: for each problem a softmax over its solutions and "no answer". It is
 * trained as a model would be, by the policy gradient with advantages normalised in the group (GRPO), but
 * it generalises nothing: each problem is learned alone.
 */
export class Policy {
  readonly #logits = new Map<string, number[]>();

  constructor(problems: readonly Problem[], skills: Skills, random: Random) {
    for (const problem of problems) this.#logits.set(problem.id, startingLogits(problem, skills, random));
  }

  sample(problem: Problem, random: Random): Choice {
    const chances = softmax(this.#logitsOf(problem));
    let rest = random();
    const at = chances.findIndex((chance) => {
      rest -= chance;
      return rest < 0;
    });
    return at < 0 || at === problem.solutions.length ? null : at;
  }

  /** One step on one group: `rewards` in the order of `choices`. Equal rewards teach nothing. */
  update(problem: Problem, choices: readonly Choice[], rewards: readonly number[]): void {
    const logits = this.#logitsOf(problem);
    const chances = softmax(logits);
    const mean = meanOf(rewards);
    const deviation = Math.sqrt(meanOf(rewards.map((reward) => (reward - mean) ** 2)));
    if (deviation === 0) return;
    const gradient = logits.map(() => 0);
    for (const [at, choice] of choices.entries()) {
      const advantage = ((rewards[at] ?? 0) - mean) / deviation;
      const chosen = choice ?? problem.solutions.length;
      for (const i of gradient.keys()) {
        gradient[i] = (gradient[i] ?? 0) + advantage * (Number(i === chosen) - (chances[i] ?? 0));
      }
    }
    const moved = logits.map((logit, i) => logit + (LEARNING_RATE * (gradient[i] ?? 0)) / choices.length);
    this.#logits.set(problem.id, moved);
  }

  #logitsOf(problem: Problem): readonly number[] {
    return this.#logits.get(problem.id) ?? [];
  }
}

function startingLogits({ topic, solutions }: Problem, skills: Skills, random: Random): number[] {
  const right = Math.min(0.9, Math.max(0.05, skills[topic] + SPREAD * (2 * random() - 1)));
  const mistakes = solutions.length - 1;
  const favourite = 1 + Math.floor(random() * mistakes);
  const wrong = (1 - right) * (1 - GIVES_NONE);
  const chances = solutions.map((_, at) => {
    if (at === 0) return right * (1 - GIVES_NONE);
    return at === favourite ? wrong * FAVOURITE : (wrong * (1 - FAVOURITE)) / (mistakes - 1);
  });
  return [...chances, GIVES_NONE].map(Math.log);
}

function softmax(logits: readonly number[]): number[] {
  const top = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - top));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
