import {
  DIAGNOSTICS_TTL_MS,
  GROUPS_PER_STEP,
  type StepIncrement,
  scopeOf,
  stepsKept,
  Tally,
  weightOf,
} from '../../domain/diagnostics/tally.ts';
import type { DiagnosticsRead, StepDiagnostics, StepRange } from '../store.ts';
import { type Caller, callScript, runOne } from './call.ts';
import type { KnownCohort } from './known-cohort.ts';
import { kindsOf, packCounts, readRecords } from './pack-counts.ts';

/** Increments that one script adds. */
const SLICE = 200;
/** Steps whose figures are read at once, so that nobody waits long for this process or for Redis. */
const STEPS_AT_ONCE = 250;

/** The figures of cohorts: one hash each, by step, and the steps in order. Both lie in one slot. */
export class Diagnostics {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async add(known: KnownCohort | null, increments: readonly StepIncrement[]): Promise<void> {
    if (known === null) return;
    const { keys, cohort } = known;
    const limits = [DIAGNOSTICS_TTL_MS, stepsKept(cohort.agents.length), GROUPS_PER_STEP];
    for (let at = 0; at < increments.length; at += SLICE) {
      const added = increments
        .slice(at, at + SLICE)
        .flatMap((increment) => [
          increment.step ?? '',
          weightOf(increment),
          scopeOf(increment),
          kindsOf(increment),
          packCounts(increment),
        ]);
      const names = [keys.diagnostics, keys.diagnosticSteps];
      await runOne(this.#caller, callScript('diagnosticsAdd', names, [...limits, ...added]));
    }
  }

  async read(known: KnownCohort | null, range: StepRange): Promise<DiagnosticsRead> {
    if (known === null) return { steps: [], earlier: 0, first: null };
    const kept = (await this.#ask('zrange', known.keys.diagnosticSteps, 0, -1)).map(Number);
    const wanted = kept.filter((step) => step >= range.from && step <= range.to);
    const chosen = wanted.slice(-range.most);
    const steps: StepDiagnostics[] = [];
    for (let at = 0; at < chosen.length; at += STEPS_AT_ONCE) {
      steps.push(...(await this.#readSteps(known, chosen.slice(at, at + STEPS_AT_ONCE))));
    }
    const [first = null] = await this.#readSteps(known, kept.slice(0, 1));
    return { steps, earlier: wanted.length - chosen.length, first };
  }

  async #readSteps(known: KnownCohort, steps: readonly number[]): Promise<readonly StepDiagnostics[]> {
    if (steps.length === 0) return [];
    const found = await this.#ask('hmget', known.keys.diagnostics, ...steps);
    return steps.map((step, at) => {
      const tally = new Tally();
      for (const increment of readRecords(found[at] ?? '')) tally.add(increment);
      return { step, tally };
    });
  }

  async #ask(
    name: 'zrange' | 'hmget',
    ...args: readonly (string | number)[]
  ): Promise<readonly (string | null)[]> {
    return (await runOne(this.#caller, { name, args })) as (string | null)[];
  }
}
