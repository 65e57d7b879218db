import type { Cohort } from '../domain/cohort.ts';
import { Tally } from '../domain/diagnostics/tally.ts';
import type { StepDiagnostics, Store } from '../store/store.ts';
import type { Cohorts } from './cohorts.ts';
import type { DiagnosticsLog } from './diagnostics-log.ts';
import { Turn } from './turn.ts';

export interface DiagnosticsQuery {
  /** Steps that are merged into one point. */
  readonly window: number;
  /** Steps of the range, both bounds included. */
  readonly from: number;
  readonly to: number;
  /** Most points, the highest of the range. */
  readonly points: number;
}

/** The figures of `count` steps together, `first` to `last`. */
export interface DiagnosticsPoint {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly tally: Tally;
}

export interface DiagnosticsView {
  readonly points: readonly DiagnosticsPoint[];
  /** Steps of the range that are in no point, all before the first one. */
  readonly earlier: number;
  /** All points together. */
  readonly overall: Tally;
  /** The lowest step that is kept. */
  readonly start: Tally;
}

/** The figures of a cohort over its steps. */
export class DiagnosticsReader {
  readonly #store: Store;
  readonly #cohorts: Cohorts;
  readonly #log: DiagnosticsLog;

  constructor(store: Store, cohorts: Cohorts, log: DiagnosticsLog) {
    this.#store = store;
    this.#cohorts = cohorts;
    this.#log = log;
  }

  /** Throws `unknown_cohort`. */
  find(name: string): Promise<Cohort> {
    return this.#cohorts.get(name);
  }

  async read(cohort: Cohort, { window, from, to, points }: DiagnosticsQuery): Promise<DiagnosticsView> {
    // What this replica has not written yet is part of the picture.
    await this.#log.flush();
    const { steps, earlier, first } = await this.#store.readDiagnostics(cohort.name, {
      from,
      to,
      most: points * window,
    });
    const merged: DiagnosticsPoint[] = [];
    const overall = new Tally();
    // Counted from the start of the range, so that a point stays what it is while the run goes on.
    const ragged = earlier === 0 ? 0 : (window - (earlier % window)) % window;
    const turn = new Turn();
    for (let at = ragged; at < steps.length; at += window) {
      if (turn.isOver()) await turn.pass();
      const point = mergeSteps(steps.slice(at, at + window));
      if (point === null) break;
      merged.push(point);
      overall.addAll(point.tally);
    }
    return {
      points: merged,
      earlier: earlier + Math.min(ragged, steps.length),
      overall,
      start: first?.tally ?? new Tally(),
    };
  }
}

function mergeSteps(steps: readonly StepDiagnostics[]): DiagnosticsPoint | null {
  const [first, ...rest] = steps;
  if (first === undefined) return null;
  const tally = new Tally();
  for (const step of steps) tally.addAll(step.tally);
  return { first: first.step, last: rest.at(-1)?.step ?? first.step, count: steps.length, tally };
}
