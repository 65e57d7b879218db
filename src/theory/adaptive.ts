import type { AdaptiveRules } from '../domain/cohort.ts';
import type { LabelRow, ReliabilityRules, TeacherChoice } from '../domain/plan.ts';
import { chooseTeachers } from '../methods/choose-teachers.ts';
import { posteriorOf } from '../methods/extensions/log-odds.ts';
import { estimateReliability } from '../methods/reliability.ts';
import type { Learner } from './dynamics.ts';
import { toChance } from './log-odds.ts';
import type { Random } from './random.ts';
import { moveBy, sampleVotes } from './stochastic.ts';
import { toFiniteLogOdds } from './trajectory.ts';

/** How teachers are chosen, and what from. */
export interface Choosing {
  readonly rules: AdaptiveRules;
  readonly reliability: ReliabilityRules;
}

/** Who teaches: one ring for ever, the plurality of all peers, or whom the latest labels speak for. */
export type Supervised = 'predecessor' | 'successor' | 'peer-majority' | Choosing;

export interface Training {
  readonly learners: readonly Learner[];
  /** Chance of a right answer at the start, by problem and agent. */
  readonly starts: readonly (readonly number[])[];
  /** Times that every problem is visited. */
  readonly visits: number;
}

export interface TrainingResult {
  /** Mean chance of a right answer over all problems, by agent. */
  readonly accuracy: readonly number[];
  /** Changes of teachers. */
  readonly changes: number;
  /** Share of the groups that were rewarded by no label, 0 to 1. */
  readonly unlabeled: number;
}

/**
 * A data set that agents train on together, with real votes of finite groups over binary answers: each problem moves
 * by itself, as in {@link sampleVotes}, and the teachers are chosen over all of them by the function that the server
 * uses. No problem helps another.
 */
export function sampleTraining(
  { learners, starts, visits }: Training,
  supervised: Supervised,
  random: Random,
): TrainingResult {
  const names = learners.map((_, n) => `agent ${n + 1}`);
  const chooser = typeof supervised === 'string' ? null : new Chooser(names, supervised);
  const odds: (readonly number[])[] = starts.map((start) => start.map(toFiniteLogOdds));
  let unlabeled = 0;
  for (let visit = 0; visit < visits; visit++) {
    for (const [problem, before] of odds.entries()) {
      const { counts, labels } = sampleVotes(learners, before, random);
      const labelOf = (n: number) => {
        const label =
          chooser === null
            ? fixedLabel(supervised, labels, n)
            : chooser.labelFor(n, counts, labels, learners);
        if (label === 0) unlabeled++;
        return label;
      };
      odds[problem] = moveBy(learners, before, counts, labelOf);
      chooser?.note(labels, visit, problem);
    }
  }
  const accuracy = learners.map((_, n) => mean(odds.map((values) => toChance(values[n] ?? 0))));
  return {
    accuracy,
    changes: chooser?.changes ?? 0,
    unlabeled: unlabeled / (visits * starts.length * learners.length),
  };
}

function fixedLabel(supervised: Supervised, labels: readonly number[], n: number): number {
  const size = labels.length;
  switch (supervised) {
    case 'predecessor':
      return labels[(n + size - 1) % size] ?? 0;
    case 'successor':
      return labels[(n + 1) % size] ?? 0;
    default:
      return Math.sign(labels.reduce((sum, label, m) => (m === n ? sum : sum + label), 0));
  }
}

/** The plans of one training, as the server makes them. */
class Chooser {
  changes = 0;
  readonly #names: readonly string[];
  readonly #choosing: Choosing;
  readonly #rows: LabelRow[] = [];
  #choices: readonly TeacherChoice[];
  #reliability: Readonly<Record<string, number>> = {};
  #version = 0;
  #since = 0;

  constructor(names: readonly string[], choosing: Choosing) {
    this.#names = names;
    this.#choosing = choosing;
    this.#choices = this.#choose();
  }

  /** The label that agent `n` is taught by: +1, −1, or 0 where it is too improbable or its vote was tied. */
  labelFor(
    n: number,
    counts: readonly number[],
    labels: readonly number[],
    learners: readonly Learner[],
  ): number {
    const { rules, reliability } = this.#choosing;
    const teacher = this.#names.indexOf(this.#choices[n]?.teacher ?? '');
    const label = labels[teacher] ?? 0;
    if (rules.minPosterior === 0) return label;
    if (2 * (counts[teacher] ?? 0) === learners[teacher]?.k) return 0;
    if (this.#version === 0) return label;
    const witnesses = labels.flatMap((other, m) =>
      m === n ? [] : [{ key: String(other), reliability: this.#reliability[this.#names[m] ?? ''] ?? 0 }],
    );
    return posteriorOf(String(label), witnesses, reliability.classes) < rules.minPosterior ? 0 : label;
  }

  note(labels: readonly number[], round: number, problem: number): void {
    const { every, window } = this.#choosing.reliability;
    const sides = Object.fromEntries(this.#names.map((name, n) => [name, labels[n] ?? 0]));
    this.#rows.push({ promptId: String(problem), round, sides });
    if (this.#rows.length > window) this.#rows.shift();
    if (++this.#since < every) return;
    this.#since = 0;
    this.#version++;
    this.#reliability = estimateReliability(this.#rows, this.#names, this.#choosing.reliability);
    const before = this.#choices;
    this.#choices = this.#choose();
    this.changes += this.#choices.filter(({ teacher }, n) => teacher !== before[n]?.teacher).length;
  }

  #choose(): readonly TeacherChoice[] {
    return chooseTeachers({
      agents: this.#names.map((name) => ({ name, role: 'learner' })),
      rules: this.#choosing.rules,
      rows: this.#rows,
      reliability: this.#reliability,
      previous: this.#choices ?? [],
      version: this.#version,
      frozen: false,
    });
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
