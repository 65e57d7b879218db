import { canonicalKey } from '../../src/answers/canonical-key.ts';
import { extract } from '../../src/answers/extract.ts';
import { grade } from '../../src/answers/grade.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import type { Outcome } from './tally.ts';

/** One case of a grading corpus; which fields it has depends on where it is from. */
export interface Case {
  id: string;
  family?: string;
  gold?: string;
  prediction?: string;
  completion?: string;
  expected: boolean | string | null;
  kind?: 'grade' | 'extract';
  format?: string;
  /** How a pair is read: `raw` compares the texts themselves, any other mode extracts the prediction first. */
  mode?: ExtractionMode;
  certainty?: 'clear' | 'policy';
  config?: CaseConfig;
}

interface CaseConfig {
  extract?: string[];
  wrap?: string;
  mcq?: boolean;
  kind?: string;
  extracted?: string[];
  contested?: boolean;
  float_rounding?: number;
}

const FORMATS: Readonly<Record<string, ExtractionMode>> = {
  mcq: 'choice',
  answer_tag: 'answer-tag',
  gsm8k: 'gsm8k',
  gsm8k_strict: 'gsm8k',
  gsm8k_flexible: 'number',
  boxed: 'boxed',
  raw: 'raw',
};

/** What the engine says to a case, beside what is expected; null for a case that tests a switch which we lack. */
export function runCase(item: Case): Outcome | null {
  if (item.mode !== undefined) return runPairInMode(item, item.mode);
  if (item.kind === 'extract') {
    const mode = FORMATS[item.format ?? ''] ?? 'auto';
    return { got: extract(item.completion ?? '', { mode }), expected: item.expected };
  }
  if (item.config === undefined) {
    const mode = FORMATS[item.format ?? ''] ?? 'auto';
    const choice = mode === 'choice' ? 'choice' : 'auto';
    const prediction = item.prediction ?? extract(item.completion ?? '', { mode: choice });
    return { got: grade(prediction, item.gold ?? '', choice).equal, expected: item.expected };
  }
  const outcome =
    item.config.kind === 'extraction' ? runExtraction(item, item.config) : runPair(item, item.config);
  return outcome === null ? null : { ...outcome, contested: item.config.contested === true };
}

function runPairInMode(item: Case, mode: ExtractionMode): Outcome {
  const text = item.prediction ?? '';
  const prediction = mode === 'raw' ? text : extract(text, { mode });
  return { got: grade(prediction, item.gold ?? '', mode).equal, expected: item.expected };
}

/** The corpus says what its own grader was told to look for; switches of that grader that we lack are left out. */
function runExtraction(item: Case, config: CaseConfig): Outcome | null {
  if (/-1|malformed_operators=False/.test((config.extract ?? []).join())) return null;
  const mode = config.extract?.includes('string') ? 'choice' : 'auto';
  const answer = extract(item.prediction ?? '', { mode, fallback: 'last' });
  const wanted = config.extracted ?? [];
  const right =
    answer === null
      ? wanted.length === 0
      : wanted.some((text) => canonicalKey(text) === canonicalKey(answer));
  return { got: right, expected: true };
}

function runPair(item: Case, config: CaseConfig): Outcome {
  const letters = config.mcq === true || config.extract?.includes('NativeLetters');
  const mode: ExtractionMode = letters ? 'choice' : 'auto';
  const fallback = config.extract?.includes('expr') ? 'last' : 'formula';
  const take = (text: string): string | null => {
    if (config.wrap === 'bare') return text;
    return letters ? extract(text, { mode: 'choice' }) : extract(text, { mode: 'auto', fallback });
  };
  const gold = take(item.gold ?? '');
  if (gold === null) return { got: false, expected: item.expected };
  const decimals = config.float_rounding ?? 6;
  return { got: grade(take(item.prediction ?? ''), gold, { mode, decimals }).equal, expected: item.expected };
}

/** A case on one line, as `--list` prints it. */
export function describeCase(item: Case, outcome: Outcome): string {
  const texts = [item.gold, item.prediction ?? item.completion].map((part) =>
    JSON.stringify(part?.slice(-160)),
  );
  const how = outcome.contested === true ? 'contested' : (item.certainty ?? '');
  return `${item.id} ${item.family ?? ''} ${how} got ${outcome.got} want ${outcome.expected} ${texts.join(' | ')}`;
}
