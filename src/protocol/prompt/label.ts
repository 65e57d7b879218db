import type { CodeTask } from '../../service/submission.ts';
import { readCodeRow } from '../code-row.ts';
import { readCodeTask } from '../code-task.ts';
import { type TruthField, toGroundTruth } from '../ground-truth.ts';
import { imageNames, MOST_IMAGES } from './images.ts';
import { readSplit, SPLIT_WORDS, type Split } from './split.ts';

/** What a data set can say about a prompt through the label column that a trainer passes on. */
export interface DatasetLabel extends TruthField {
  readonly promptId: string | null;
  readonly round: number | null;
  readonly step: number | null;
  readonly split: Split | null;
  readonly task: string | null;
  /** Names of the images that the prompt shows, in their order; absent: none are named. */
  readonly images?: readonly string[];
  /** How the programs of a code problem are run; absent where the label does not say. */
  readonly code?: CodeTask;
}

/** `reason` says in whole sentences what is wrong and what to send instead. */
export type LabelReading =
  | { readonly kind: 'label'; readonly label: DatasetLabel }
  | { readonly kind: 'invalid'; readonly reason: string };

/** In UTF-16 code units, like every length here. */
export const MAX_PROMPT_ID = 512;
const MAX_TASK = 128;
/** A label that holds JSON may carry fields for others, so it may be longer than what is read from it. */
const MAX_JSON_LABEL = 1_048_576;

const PROMPT_ID_KEYS = ['pid', 'prompt_id', 'id'];
/** What rows of code data sets call their problems. */
const CODE_ID_KEYS = [...PROMPT_ID_KEYS, 'task_id', 'question_id'];
const IMAGE_KEYS = ['images', 'image', 'image_ids', 'image_id'];
const GROUND_TRUTH_KEYS = ['answer', 'ground_truth', 'truth', 'label'];
const ABOUT_PROMPT: ReadonlySet<string> = new Set([
  ...PROMPT_ID_KEYS,
  ...IMAGE_KEYS,
  'round',
  'step',
  'split',
  'task',
]);

/** Starts like an object of ours, in JSON or as Python prints it. `{1, 2}` is an answer, this is not. */
const LOOKS_LIKE_FIELDS =
  /^\s*\{\s*["'](?:pid|prompt_id|id|answer|ground_truth|truth|label|split|round|step|task|entry_point|inputs|test_code|test|test_list|task_id|question_id|public_test_cases|input_output|stdin|images)["']\s*:/;

/**
 * Reads a label: an object, a string that holds a JSON object, or the ground truth itself.
 *
 * In an object the first key counts whose value is neither null nor empty: `pid`, `prompt_id` or `id`; `answer`,
 * `ground_truth`, `truth` or `label`, else `target` where nothing unknown stands beside it. Other fields are ignored. Anything else is the ground truth: a string
 * as written, a list as answers each of which is right; null and blank strings are none.
 */
export function readLabel(label: unknown): LabelReading {
  const problems: string[] = [];
  const fields = readFields(label, problems);
  const isCode = readCodeRow(fields) !== null;
  const read: DatasetLabel = {
    promptId: readPromptId(pick(fields, isCode ? CODE_ID_KEYS : PROMPT_ID_KEYS), problems),
    round: readCount(fields, 'round', problems),
    step: readCount(fields, 'step', problems),
    split: readSplitField(fields.split, problems),
    // Rows of code problems may have their tests where others have an answer.
    ...(isCode ? toGroundTruth(undefined) : readTruthField(fields)),
    task: readTask(fields.task, problems),
    ...readImages(pick(fields, IMAGE_KEYS), problems),
    ...readCodeTask(fields, problems),
  };
  return problems.length === 0
    ? { kind: 'label', label: read }
    : { kind: 'invalid', reason: problems.join(' ') };
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(label: unknown, problems: string[]): Fields {
  if (isFields(label)) return label;
  if (typeof label !== 'string' || !/^\s*\{/.test(label)) return { answer: label };
  if (label.length > MAX_JSON_LABEL) {
    problems.push(`The label has ${label.length} characters; at most ${MAX_JSON_LABEL} are read as JSON.`);
    return {};
  }
  try {
    const parsed: unknown = JSON.parse(label);
    return isFields(parsed) ? parsed : { answer: label };
  } catch {
    if (!LOOKS_LIKE_FIELDS.test(label)) return { answer: label };
    problems.push(
      'The label looks like an object but is not valid JSON: write it with json.dumps, not str, and without NaN.',
    );
    return {};
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(fields: Fields, keys: readonly string[]): unknown {
  return keys
    .map((key) => fields[key])
    .find((value) => value !== undefined && value !== null && value !== '');
}

/** Search data sets have `target` where others have `answer`, and what else stands beside it says whether it can be read. */
function readTruthField(fields: Fields): TruthField {
  const value = pick(fields, GROUND_TRUTH_KEYS);
  if (value !== undefined || fields.target === undefined) return toGroundTruth(value);
  return toGroundTruth(Object.fromEntries(Object.entries(fields).filter(([key]) => !ABOUT_PROMPT.has(key))));
}

function readPromptId(value: unknown, problems: string[]): string | null {
  if (value === undefined) return null;
  if (typeof value === 'number') return readNumber(value, 'prompt id', problems);
  if (typeof value !== 'string') {
    problems.push('The prompt id in the label must be a string or a number.');
    return null;
  }
  return readText(value, 'prompt id', MAX_PROMPT_ID, problems);
}

function readImages(value: unknown, problems: string[]): Pick<DatasetLabel, 'images'> {
  const images = imageNames(value);
  if (images === null) {
    problems.push(
      `The images in the label must be a list of at most ${MOST_IMAGES} ids, hashes, paths or objects.`,
    );
    return {};
  }
  return images.length === 0 ? {} : { images };
}

function readTask(value: unknown, problems: string[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return readText(value, 'task', MAX_TASK, problems);
  problems.push('The task in the label must be a string.');
  return null;
}

function readSplitField(value: unknown, problems: string[]): Split | null {
  if (value === undefined || value === null || value === '') return null;
  const split = typeof value === 'string' ? readSplit(value) : null;
  if (split === null) problems.push(`The split in the label must be one of ${SPLIT_WORDS.join(', ')}.`);
  return split;
}

/** A round or step: a whole number from 0, or its digits in a string. */
function readCount(fields: Fields, key: 'round' | 'step', problems: string[]): number | null {
  const value = fields[key];
  if (value === undefined || value === null || value === '') return null;
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  problems.push(`The ${key} in the label must be a whole number from 0.`);
  return null;
}

function readText(text: string, what: string, limit: number, problems: string[]): string | null {
  if (text.length <= limit) return text.trim() === '' ? null : text.toWellFormed();
  problems.push(`The ${what} in the label has ${text.length} characters; at most ${limit} are allowed.`);
  return null;
}

function readNumber(value: number, what: string, problems: string[]): string | null {
  // The digits that the trainer wrote are gone, and two ids or answers may have become one.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    problems.push(
      `The ${what} in the label is beyond 2^53, where JSON numbers are rounded; send it as a string.`,
    );
    return null;
  }
  return String(value);
}
