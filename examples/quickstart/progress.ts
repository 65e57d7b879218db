import { STEPS } from './agents.ts';
import { meanMetric } from './figures.ts';
import type { StepReport } from './messages.ts';
import { percent } from './table.ts';

const EVERY = 4;

/** Collects what the agents report, and words it once all have got so far. */
export class Progress {
  readonly reports: StepReport[] = [];
  readonly #cohorts: readonly { readonly cohort: string; readonly title: string }[];
  readonly #agents: number;
  #told = 0;

  constructor(cohorts: readonly { readonly cohort: string; readonly title: string }[], agents: number) {
    this.#cohorts = cohorts;
    this.#agents = agents;
  }

  /** The line to print now, if this report was the last one missing for it. */
  add(report: StepReport): string | null {
    this.reports.push(report);
    const step = this.#told + EVERY;
    const there = this.reports.filter((each) => each.step === step).length;
    if (there < this.#agents * this.#cohorts.length) return null;
    this.#told = step;
    const parts = this.#cohorts.map(({ cohort, title }) => {
      const mean = (key: string) =>
        meanMetric({ cohort, reports: this.reports }, null, { from: step, to: step }, key);
      return `${title}: ${percent(mean('answer_accuracy')).padStart(5)} right, reward ${mean('reward_mean').toFixed(2)}`;
    });
    return `  step ${String(step).padStart(2)} of ${STEPS}   ${parts.join('   ')}`;
  }
}
