import { canonicalKey } from '../answers/canonical-key.ts';
import { extract } from '../answers/extract.ts';
import type { GradeResult } from '../answers/grade.ts';
import type { ExtractionMode, Fallback } from '../answers/modes.ts';
import type { ReasoningPolicy } from '../answers/reasoning-policy.ts';
import { PatternError } from '../answers/regex/pattern.ts';
import { gradeTruth, readTruth } from '../answers/truth.ts';
import type { GroundTruth } from '../domain/bucket.ts';
import type { VoteRules } from '../domain/cohort.ts';
import { ServiceError } from '../domain/errors.ts';
import { countVotes, type Vote } from '../domain/vote.ts';
import { castBallots } from '../methods/ballots.ts';
import { Turn } from './turn.ts';

/** How one text is read; as in the answer engine, with null for what was left out. */
export interface ReadItem {
  readonly text: string;
  readonly mode: ExtractionMode;
  readonly truncated: boolean;
  readonly choices: readonly string[] | null;
  readonly pattern: string | null;
  readonly reasoning?: ReasoningPolicy;
  readonly fallback?: Fallback;
}

export interface ReadAnswer {
  readonly answer: string | null;
  readonly key: string | null;
}

/** What is compared: both the prediction and the truth are read first. */
export interface GradeItem extends ReadItem {
  readonly groundTruth: GroundTruth | null;
  /** Why a truth that came is none to grade by, as what is said of it. */
  readonly truthFault?: string;
}

/** The answers of some texts, in order. Stateless. */
export function readAnswers(items: readonly ReadItem[]): Promise<ReadAnswer[]> {
  return inSlices(items, readAnswer);
}

/** Grades of some predictions, in order. Stateless. */
export function gradeAnswers(
  items: readonly GradeItem[],
): Promise<(GradeResult & { answer: string | null })[]> {
  return inSlices(items, (item) => {
    const { answer } = readAnswer(item);
    return { ...gradeItem(answer, item), answer };
  });
}

function gradeItem(
  answer: string | null,
  { groundTruth, truthFault, mode, choices }: GradeItem,
): GradeResult {
  const truth = groundTruth === null ? null : readTruth(groundTruth, mode, choices);
  if (truth !== null && truth.key !== null) return gradeTruth(answer, truth, mode);
  const reason = `the truth ${truthFault ?? 'holds no answer'}`;
  return { equal: false, status: 'unparsable_truth', reason };
}

/** A vote over answers in their order, by the rules of a cohort. Stateless. */
export function voteOnAnswers(
  answers: readonly (string | null)[],
  mode: ExtractionMode,
  rules: VoteRules,
): Vote {
  const ballots = answers.map((answer, index) => ({
    answer,
    key: answer === null ? null : canonicalKey(answer, mode),
    index,
  }));
  return countVotes(castBallots(ballots, { mode, pattern: null }), rules, { promptId: '', round: 0 });
}

function readAnswer({ text, mode, truncated, choices, pattern, reasoning, fallback }: ReadItem): ReadAnswer {
  if (mode === 'regex' && pattern === null) {
    throw new ServiceError('invalid_request', 'Mode regex needs a pattern: send one with every item.');
  }
  const answer = asRequestError(() =>
    extract(text, {
      mode,
      truncated,
      ...(choices !== null && { choices }),
      ...(pattern !== null && { pattern }),
      ...(reasoning !== undefined && { reasoning }),
      ...(fallback !== undefined && { fallback }),
    }),
  );
  const key = answer === null ? null : canonicalKey(answer, mode);
  return { answer: key === null ? null : answer, key };
}

/** A pattern that the linear-time matcher refuses is the caller's to change. */
function asRequestError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ServiceError('invalid_request', `The pattern cannot be used: ${error.message}.`);
  }
}

async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const turn = new Turn();
  for (const item of items) {
    if (turn.isOver()) await turn.pass();
    results.push(work(item));
  }
  return results;
}
