import { z } from 'zod';
import type { QuestionKind } from './question.ts';
import { withoutCourtesies, wrappedObject, wrappedValue } from './verdict-sentence.ts';

/** What a judge said of one completion: a score from 0 to 1, or why there is none. */
export type Verdict =
  | { readonly kind: 'score'; readonly score: number }
  /** `mayPass`: asking again later may give one. `since`: when the judge failed of it first, in milliseconds. */
  | {
      readonly kind: 'fault';
      readonly reason: string;
      readonly mayPass: boolean;
      readonly since: number;
    };

const scoreSchema = z.object({ score: z.number().min(0).max(1) });
const verdictSchema = z.object({ verdict: z.stringFormat('yes or no', /^(yes|no)$/i) });

/** What an answer of the judge's says. */
export type Reading =
  | Extract<Verdict, { readonly kind: 'score' }>
  | Omit<Extract<Verdict, { readonly kind: 'fault' }>, 'since'>;

/** `Score: 0.5`, also with emphasis around a part of it. */
const SCORE_LINE =
  /^score[*`]{0,3}\s*[:=][*`]{0,3}\s*[*`]{0,3}(\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})[*`]{0,3}\.?$/i;
const VERDICT_LINE = /^verdict[*`]{0,3}\s*[:=][*`]{0,3}\s*[*`]{0,3}(yes|no)[*`]{0,3}\.?$/i;

/** Lines of a JSON object that is written over several. */
const MOST_LINES = 40;
const END_OF_REASONING = '</think>';

/**
 * The judgement at the end of a judge's answer: `{"score": 0.5}` or `Score: 0.5`, `{"verdict": "yes"}` or
 * `Verdict: yes`, in the last line, as an object that ends with it, or in a sentence that says no more than that. What
 * stands before is never looked at: it may quote what is judged.
 */
export function readVerdict(text: string, kind: QuestionKind): Reading {
  const lines = withoutCourtesies(lastLines(text));
  const last = lines.at(-1) ?? '';
  const wrapped = wrappedObject(last);
  const object = wrapped === null ? lastObject(lines) : parseJson(wrapped);
  const line = wrappedValue(last, kind) ?? strip(last);
  const score = kind === 'score' ? readScore(object, line) : readYesNo(object, line);
  if (score !== null) return { kind: 'score', score };
  const form = kind === 'score' ? '{"score": S} with S from 0 to 1' : '{"verdict": "yes"} or "no"';
  return { kind: 'fault', reason: `The judge's last line is not ${form}.`, mayPass: false };
}

/** The last lines, of which the last has something in it; a closing fence and finished reasoning are no part of them. */
function lastLines(text: string): readonly string[] {
  const trimmed = text.trimEnd();
  const unfenced = trimmed.replace(/\n[ \t]*```$/, '').trimEnd();
  const lines = unfenced
    .slice(unfenced.lastIndexOf(END_OF_REASONING) + 1)
    .split('\n')
    .slice(-MOST_LINES);
  return lines.map((line) => line.trim().replace(/^\/think>\s*/, ''));
}

/** The object that these lines end with; null where they end otherwise. */
function lastObject(lines: readonly string[]): unknown {
  const last = strip(lines.at(-1) ?? '');
  if (last.startsWith('{')) return parseJson(last);
  if (!last.endsWith('}')) return null;
  for (let at = lines.length - 2; at >= 0; at--) {
    if (lines[at]?.startsWith('{') !== true) continue;
    const parsed = parseJson(lines.slice(at).join('\n'));
    if (parsed !== null) return parsed;
  }
  return null;
}

/** Without emphasis around it and a full stop behind it. */
function strip(line: string): string {
  return line
    .replace(/^[*_`]{1,3}/, '')
    .replace(/[*_`]{1,3}\.?$/, '')
    .replace(/([^.])\.$/, '$1')
    .trim();
}

function readScore(object: unknown, line: string): number | null {
  const json = scoreSchema.safeParse(object);
  if (json.success) return json.data.score;
  const written = SCORE_LINE.exec(line)?.[1];
  if (written === undefined) return null;
  const score = Number(written);
  return score <= 1 ? score : null;
}

function readYesNo(object: unknown, line: string): number | null {
  const json = verdictSchema.safeParse(object);
  const word = json.success ? json.data.verdict : VERDICT_LINE.exec(line)?.[1];
  return word === undefined ? null : Number(word.toLowerCase() === 'yes');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
