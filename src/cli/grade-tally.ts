import type { GradeResult } from '../answers/grade.ts';

/** One graded row of a file. */
export interface Graded extends GradeResult {
  readonly line: number;
  readonly prediction: string;
  readonly truth: string;
  readonly expected: boolean;
  /** What was taken from the prediction; null: nothing. */
  readonly answer: string | null;
}

const WIDTH = 60;

/** Counts graded rows by what was expected of them, and keeps the first misses. */
export class GradeTally {
  readonly #shown: number;
  readonly #misses: Graded[] = [];
  readonly #counts = { truePositive: 0, falseNegative: 0, falsePositive: 0, trueNegative: 0 };
  readonly #statuses = new Map<GradeResult['status'], number>();

  /** Lists at most `shown` misses. */
  constructor(shown: number) {
    this.#shown = shown;
  }

  add(graded: Graded): void {
    const { expected, equal, status } = graded;
    if (expected) this.#counts[equal ? 'truePositive' : 'falseNegative']++;
    else this.#counts[equal ? 'falsePositive' : 'trueNegative']++;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (expected !== equal && this.#misses.length < this.#shown) this.#misses.push(graded);
  }

  get rows(): number {
    const { truePositive, falseNegative, falsePositive, trueNegative } = this.#counts;
    return truePositive + falseNegative + falsePositive + trueNegative;
  }

  /** Share of the rows that were graded as expected; 1 for no rows. */
  get accuracy(): number {
    const { truePositive, trueNegative } = this.#counts;
    return this.rows === 0 ? 1 : (truePositive + trueNegative) / this.rows;
  }

  /** The confusion table, the statuses and the misses, for a terminal. */
  format(): string {
    const { truePositive, falseNegative, falsePositive, trueNegative } = this.#counts;
    const cell = (value: string | number) => String(value).padStart(12);
    const right = truePositive + trueNegative;
    const missed = falseNegative + falsePositive;
    const lines = [
      `${''.padEnd(20)}${cell('equal')}${cell('not equal')}`,
      `${'expected equal'.padEnd(20)}${cell(truePositive)}${cell(falseNegative)}`,
      `${'expected not equal'.padEnd(20)}${cell(falsePositive)}${cell(trueNegative)}`,
      '',
      `${right} of ${this.rows} as expected (${(100 * this.accuracy).toFixed(2)} %), ${falsePositive} false positives, ${falseNegative} false negatives`,
      [...this.#statuses].map(([status, count]) => `${status} ${count}`).join(', '),
    ];
    if (missed > 0) lines.push('', ...this.#misses.map(describeMiss));
    if (missed > this.#misses.length) lines.push(`… and ${missed - this.#misses.length} more`);
    return `${lines.join('\n')}\n`;
  }
}

function describeMiss({ line, expected, answer, prediction, truth, reason }: Graded): string {
  const kind = expected ? 'false negative' : 'false positive';
  const shown = answer === null ? `no answer in ${quote(prediction)}` : quote(answer);
  return `line ${line}: ${kind}: ${shown} against ${quote(truth)}: ${reason}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
}
