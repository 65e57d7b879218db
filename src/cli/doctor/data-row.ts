import { type TruthField, toGroundTruth } from '../../protocol/ground-truth.ts';
import { readLabel } from '../../protocol/prompt/label.ts';
import { promptIdOf, userText } from '../../protocol/prompt/prompt-text.ts';
import { readSplit } from '../../protocol/prompt/split.ts';
import type { TableRow } from './read-table.ts';

/** Which columns are read; null: those that the adapters read. */
export interface Columns {
  readonly id: string | null;
  readonly prompt: string | null;
  readonly truth: string | null;
  readonly label: string;
}

/** Where a prompt id was found. `text`: nowhere, so that a hash of the text names the problem. */
export type IdSource = 'column' | 'label' | 'verl' | 'roll' | 'text';

/** A row as an agent would send it. */
export interface DataRow {
  /** From 1. */
  readonly row: number;
  /** Null: it names no problem. */
  readonly id: string | null;
  readonly from: IdSource | null;
  /** Null: its word is none for a split. */
  readonly split: 'train' | 'eval' | null;
  readonly truth: TruthField;
  /** The problem, each run of white space as one space; empty where the row has none. */
  readonly text: string;
}

const ID_COLUMNS = ['prompt_id', 'pid'];
const PROMPT_COLUMNS = ['prompt', 'problem', 'question', 'messages', 'query', 'input', 'text'];
const TRUTH_COLUMNS = ['ground_truth', 'answer', 'solution'];

/** A row of a data set, read as the adapters and the server read it. `row` counts from 1. */
export function toDataRow(raw: TableRow, row: number, columns: Columns): DataRow {
  const info = asRow(raw.extra_info);
  const label = readLabelColumn(raw[columns.label]);
  const text = textOf(columns.prompt === null ? firstOf(raw, PROMPT_COLUMNS) : raw[columns.prompt]);
  const word = firstOf(raw, ['split']) ?? firstOf(info, ['split']) ?? label.split ?? 'train';
  const truth =
    columns.truth === null
      ? (firstOf(raw, TRUTH_COLUMNS) ?? asRow(raw.reward_model).ground_truth ?? label.answer)
      : raw[columns.truth];
  return {
    row,
    ...identify(raw, info, label, text, columns.id),
    split: typeof word === 'string' ? readSplit(word) : null,
    truth: toGroundTruth(truth),
    text,
  };
}

function identify(
  raw: TableRow,
  info: TableRow,
  label: TableRow,
  text: string,
  column: string | null,
): { readonly id: string | null; readonly from: IdSource | null } {
  if (column !== null) return named(raw[column], 'column') ?? { id: null, from: 'column' };
  const found =
    named(firstOf(raw, ID_COLUMNS) ?? firstOf(info, ID_COLUMNS), 'column') ??
    named(label.pid, 'label') ??
    named(verlId(raw, info), 'verl') ??
    named(raw.id, 'roll');
  if (found !== null) return found;
  return text === '' ? { id: null, from: null } : { id: promptIdOf(text), from: 'text' };
}

function named(value: unknown, from: IdSource) {
  return isMissing(value) ? null : { id: String(value), from };
}

/** What the adapter of verl makes of what verl's preprocessing writes. */
function verlId(raw: TableRow, info: TableRow): string | null {
  return isMissing(info.index) ? null : `${raw.data_source}/${info.split ?? 'train'}/${info.index}`;
}

/** What a label says; one that is no object is a truth. */
function readLabelColumn(value: unknown): TableRow {
  if (isMissing(value)) return {};
  const reading = readLabel(value);
  if (reading.kind === 'invalid') return { answer: value };
  const { promptId, groundTruth, truthFault, split } = reading.label;
  return { pid: promptId, answer: truthFault === undefined ? groundTruth : value, split };
}

/** The problem of a prompt: text, or messages, of which the user's last counts. */
function textOf(prompt: unknown): string {
  if (typeof prompt === 'string') return userText(prompt);
  if (!Array.isArray(prompt)) return '';
  const said = prompt.map(asRow).filter(({ role }) => role === 'user');
  const content = said.at(-1)?.content;
  return typeof content === 'string' ? userText(content) : '';
}

function firstOf(row: TableRow, names: readonly string[]): unknown {
  return names.map((name) => row[name]).find((value) => !isMissing(value));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function asRow(value: unknown): TableRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TableRow) : {};
}
