import { z } from 'zod';
import type { QuestionKind } from './question.ts';

/** What a judge said of one completion: a score from 0 to 1, or why there is none. */
export type Verdict =
  | { readonly kind: 'score'; readonly score: number }
  | { readonly kind: 'fault'; readonly reason: string };

const scoreSchema = z.object({ score: z.number().min(0).max(1) });
const verdictSchema = z.object({ verdict: z.stringFormat('yes or no', /^(yes|no)$/i) });

const SCORE_LINE = /^score\s*[:=]\s*(\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})$/i;
const VERDICT_LINE = /^verdict\s*[:=]\s*(yes|no)$/i;

/**
 * The judgement in the last line of a judge's answer: `{"score": 0.5}` or `Score: 0.5`, `{"verdict": "yes"}` or
 * `Verdict: yes`. Earlier lines are never looked at: they may quote what is judged.
 */
export function readVerdict(text: string, kind: QuestionKind): Verdict {
  const line = lastLine(text);
  const score = kind === 'score' ? readScore(line) : readYesNo(line);
  if (score !== null) return { kind: 'score', score };
  const form = kind === 'score' ? '{"score": S} with S from 0 to 1' : '{"verdict": "yes"} or "no"';
  return { kind: 'fault', reason: `The judge's last line is not ${form}.` };
}

/** The last line with something in it; a closing fence and emphasis around it are no part of it. */
function lastLine(text: string): string {
  const lines = text.trimEnd().split('\n');
  const last = lines.at(-1)?.trim() === '```' ? lines.at(-2) : lines.at(-1);
  return (last ?? '')
    .trim()
    .replace(/^[*_`]{1,3}/, '')
    .replace(/[*_`]{1,3}\.?$/, '')
    .replace(/([^.])\.$/, '$1')
    .trim();
}

function readScore(line: string): number | null {
  const json = scoreSchema.safeParse(parseJson(line));
  if (json.success) return json.data.score;
  const written = SCORE_LINE.exec(line)?.[1];
  if (written === undefined) return null;
  const score = Number(written);
  return score <= 1 ? score : null;
}

function readYesNo(line: string): number | null {
  const json = verdictSchema.safeParse(parseJson(line));
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
