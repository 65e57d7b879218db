import type { Cohort } from '../domain/cohort.ts';
import type { Signals } from '../domain/signals.ts';
import { parseTau } from '../methods/comas-parser.ts';
import { meanOverTokens, readMean } from '../methods/intrinsic.ts';
import { methodOf } from '../methods/registry.ts';
import type { Measure, MeasureName, RolloutInput } from './submission.ts';

/** Something that a rollout should have come with and did not, or that cannot be. */
export interface SignalFault {
  /** The field of the native protocol. */
  readonly field: string;
  readonly problem: string;
}

export interface ReadSignals {
  /** Null: nothing was said of it. */
  readonly signals: Signals | null;
  readonly faults: readonly SignalFault[];
}

/** What each signal is called where a trainer sends it; `passed` is the sandbox's own word, which none does. */
const FIELDS: Readonly<Record<keyof Signals, string>> = {
  entropy: 'mean_entropy',
  selfCertainty: 'mean_kl_u_p',
  peerLogprob: 'peer_logprob_sum',
  score: 'score',
  fault: 'fault',
  interaction: 'interaction_id',
  part: 'part',
  tau: 'tau',
  turn: 'turn',
  novelty: 'novelty',
  passed: 'passed',
};

const TOKEN_FIELDS: Readonly<Record<MeasureName, string>> = {
  entropy: 'token_entropies',
  selfCertainty: 'token_kl_u_p',
};

/** Signals as a trainer sends them, such as `mean_entropy or token_entropies`. */
export function fieldsOf(names: readonly (keyof Signals)[]): readonly string[] {
  return names.map((name) => (isMeasure(name) ? `${FIELDS[name]} or ${TOKEN_FIELDS[name]}` : FIELDS[name]));
}

/** Reduces what was measured per token, reads a scorer's verdict, and says what the method of the cohort misses. */
export function readSignals(
  { content, signals: sent, measures = {} }: RolloutInput,
  { method, options }: Pick<Cohort, 'method' | 'options'>,
  hasTruth: boolean,
): ReadSignals {
  const { needs, alsoNeeds } = methodOf(method);
  const faults: SignalFault[] = [];
  const signals: { -readonly [Name in keyof Signals]: Signals[Name] } = { ...sent };
  for (const name of ['entropy', 'selfCertainty'] as const) {
    const measure = measures[name];
    if (measure === undefined) continue;
    const read = reduce(measure);
    if (read.kind === 'mean') signals[name] = read.mean;
    if (read.kind !== 'invalid') continue;
    const field = measure.kind === 'tokens' ? TOKEN_FIELDS[name] : FIELDS[name];
    faults.push({ field, problem: read.reason });
  }
  if (method === 'comas' && signals.part === 'scorer' && signals.tau === undefined) {
    if (content.kind === 'given') {
      faults.push({
        field: FIELDS.tau,
        problem: 'is missing, and "answer" hides the completion it is read from',
      });
    } else {
      const tau = parseTau(content.text, options.comas.parser);
      if (tau !== null) signals.tau = tau;
    }
  }
  const known = Object.keys(signals).length === 0 ? null : signals;
  for (const name of [...needs, ...(alsoNeeds?.(known, hasTruth) ?? [])]) {
    // A completion without tokens has no mean, and says so.
    if (signals[name] !== undefined || (isMeasure(name) && measures[name] !== undefined)) continue;
    faults.push({ field: fieldsOf([name]).join(), problem: 'is missing' });
  }
  return { signals: known, faults };
}

function reduce(measure: Measure) {
  switch (measure.kind) {
    case 'none':
      return { kind: 'empty' } as const;
    case 'mean':
      return readMean(measure.mean);
    case 'tokens':
      return meanOverTokens(measure.values, measure.mask);
  }
}

function isMeasure(name: keyof Signals): name is MeasureName {
  return name === 'entropy' || name === 'selfCertainty';
}
