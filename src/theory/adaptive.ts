import type { Cohort } from '../domain/cohort.ts';
import { type LabelRow, type PlanRecord, weighedBy } from '../domain/plan.ts';
import { labelPosteriors, posteriorOf } from '../methods/extensions/log-odds.ts';
import { nextPlan, type Supervised as Supervising } from '../methods/next-plan.ts';
import type { Learner } from './dynamics.ts';
import { moveAnswers, type Sampled, sampleAnswers } from './open-votes.ts';
import type { Random } from './random.ts';

/** How teachers are chosen, or labels weighed and doubted, by plans that are made as the server makes them. */
export interface Planned extends Pick<Cohort, 'supervision' | 'reliability'> {
  readonly weighting: 'none' | 'dawid-skene';
}

/** Who teaches: one ring for ever, the plurality of all peers, or what plans say. */
export type Supervised = 'predecessor' | 'successor' | 'peer-majority' | Planned;

export interface Training {
  readonly learners: readonly Learner[];
  /** Chances of each answer at the start, by problem and agent; the first answer is the right one. */
  readonly starts: readonly (readonly (readonly number[])[])[];
  /** Pairs of agents that sample the same: the second copies the first. */
  readonly twins?: readonly (readonly [number, number])[];
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

/** No label. */
const NONE = -1;

/**
 * A data set that agents train on together, with real votes of finite groups: each problem is a table of its own, moved by
 * GRPO as in {@link moveAnswers}, so that no problem helps another. What needs all of them, such as the choice of teachers,
 * is done by the functions that the server uses.
 */
export function sampleTraining(training: Training, supervised: Supervised, random: Random): TrainingResult {
  const { learners, starts, visits, twins = [] } = training;
  const planned = typeof supervised === 'string' ? null : new Plans(learners.length, supervised);
  const logits = starts.map((start) =>
    start.map((chances) => chances.map((p) => Math.log(Math.max(p, 1e-9)))),
  );
  let unlabeled = 0;
  for (let visit = 0; visit < visits; visit++) {
    for (const [problem, own] of logits.entries()) {
      const sampled = sampleAnswers(learners, own, twins, random);
      const labels = learners.map((_, n) =>
        planned === null ? fixedLabel(supervised, sampled, n) : planned.labelFor(n, sampled),
      );
      unlabeled += labels.filter((label) => label === NONE).length;
      for (const [n, learner] of learners.entries())
        moveAnswers(learner, own[n] ?? [], sampled.counts[n] ?? [], labels[n] ?? NONE);
      planned?.note(sampled, visit, problem);
    }
  }
  return {
    accuracy: learners.map((_, n) => mean(logits.map((own) => chanceOfFirst(own[n] ?? [])))),
    changes: planned?.changes ?? 0,
    unlabeled: unlabeled / (visits * starts.length * learners.length),
  };
}

function fixedLabel(supervised: Supervised, { labels }: Sampled, n: number): number {
  const size = labels.length;
  switch (supervised) {
    case 'predecessor':
      return labels[(n + size - 1) % size] ?? NONE;
    case 'successor':
      return labels[(n + 1) % size] ?? NONE;
    default:
      return plurality(labels.filter((_, m) => m !== n).map((label) => [label, 1]));
  }
}

/** The one answer with the highest sum; none where several share it. */
function plurality(weighed: Iterable<readonly [label: number, weight: number]>): number {
  const sums = new Map<number, number>();
  for (const [label, weight] of weighed) sums.set(label, (sums.get(label) ?? 0) + weight);
  const most = Math.max(...sums.values());
  const top = [...sums].filter(([, sum]) => sum > most - 1e-9);
  return top.length === 1 ? (top[0]?.[0] ?? NONE) : NONE;
}

/** The plans of one training, as the server makes them. */
class Plans {
  changes = 0;
  readonly #names: readonly string[];
  readonly #planned: Planned;
  readonly #cohort: Supervising;
  readonly #rows: LabelRow[] = [];
  #plan: PlanRecord | null = null;
  #noted = 0;

  constructor(size: number, planned: Planned) {
    this.#names = Array.from({ length: size }, (_, n) => `agent ${n + 1}`);
    this.#planned = planned;
    const agents = this.#names.map((name) => ({ name, k: 1, view: '', role: 'learner' as const }));
    this.#cohort = { agents, supervision: planned.supervision, reliability: planned.reliability };
  }

  /** The label that agent `n` is taught by; none where it is too improbable, or its vote was tied. */
  labelFor(n: number, { labels, tied }: Sampled): number {
    const { weighting, supervision, reliability } = this.#planned;
    const witnesses = labels.flatMap((label, m) =>
      m === n ? [] : (weighedBy(this.#plan, this.#names[m] ?? '', String(label)) ?? []),
    );
    const isKnown = witnesses.length === labels.length - 1;
    let label: number;
    if (supervision.kind === 'peer-majority') {
      label =
        weighting === 'dawid-skene' && isKnown
          ? plurality(
              [...labelPosteriors(witnesses, reliability.classes)].map(([key, value]) => [
                Number(key),
                value,
              ]),
            )
          : fixedLabel('peer-majority', { counts: [], labels, tied }, n);
    } else {
      const teacher = this.#teacherOf(n);
      label = labels[teacher] ?? NONE;
      if (reliability.minPosterior > 0 && tied[teacher] === true) return NONE;
    }
    if (label === NONE || reliability.minPosterior === 0 || !isKnown) return label;
    return posteriorOf(String(label), witnesses, reliability.classes) < reliability.minPosterior
      ? NONE
      : label;
  }

  note({ labels }: Sampled, round: number, problem: number): void {
    const { every, window, truthShare } = this.#planned.reliability;
    const promptId = String(problem);
    const sides = Object.fromEntries(this.#names.map((name, n) => [name, labels[n] ?? 0]));
    const isAnchor = truthShare > 0 && problem % Math.round(1 / truthShare) === 0;
    const right = this.#names.filter((_, n) => labels[n] === 0);
    this.#rows.push({ promptId, round, sides, ...(isAnchor && { right }) });
    if (this.#rows.length > window) this.#rows.shift();
    this.#noted++;
    if (this.#noted % every !== 0) return;
    const before = this.#plan;
    this.#plan = nextPlan(this.#cohort, { previous: before, rows: this.#rows, noted: this.#noted, at: 0 });
    this.changes += this.#plan.changes.filter(({ version }) => version === this.#plan?.version).length;
  }

  #teacherOf(n: number): number {
    const size = this.#names.length;
    const name = this.#plan?.teachers?.[this.#names[n] ?? ''];
    return name === undefined ? (n + size - 1) % size : this.#names.indexOf(name);
  }
}

function chanceOfFirst(logits: readonly number[]): number {
  const top = Math.max(...logits);
  return Math.exp((logits[0] ?? 0) - top) / logits.reduce((sum, value) => sum + Math.exp(value - top), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
