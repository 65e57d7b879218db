import { findSpan } from './json-span.ts';

/** Fields that common dumps keep a problem in, in the order of preference. */
export const TEXT_FIELDS = ['prompt', 'question', 'problem', 'input', 'query', 'instruction'] as const;
/** Fields that name a problem. */
export const ID_FIELDS = ['prompt_id', 'pid', 'id', 'uid', 'problem_id', 'question_id', 'index'] as const;

/** Says of every row of the output whether its text was rephrased. */
const MARK_FIELD = 'rephrased';

/** One line of a data set. */
export interface Row {
  readonly json: string;
  /** The problem: the text of the field, or of its last user message where it holds messages. */
  readonly text: string;
  /** Where the text stands. */
  readonly path: readonly (string | number)[];
  /** Null where the row has no id; then peers cannot tell that both texts are one problem. */
  readonly id: string | null;
}

export type ReadRow =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface FieldNames {
  /** Null: the first of {@link TEXT_FIELDS} that the row has. */
  readonly text: string | null;
  /** Null: the first of {@link ID_FIELDS} that the row has. */
  readonly id: string | null;
}

/** Reads one line of JSONL. */
export function readRow(json: string, fields: FieldNames): ReadRow {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    return invalid('this line is not JSON');
  }
  if (!isRecord(content)) return invalid('expected an object');
  const own = (name: string) => (Object.hasOwn(content, name) ? content[name] : undefined);
  const field = fields.text ?? TEXT_FIELDS.find((name) => own(name) !== undefined);
  if (field === undefined) {
    return invalid(`none of the fields ${TEXT_FIELDS.join(', ')} is there: name it with --field`);
  }
  const place = locateText(own(field), field);
  if (place === null) return invalid(`field "${field}" holds neither a text nor messages with a user's text`);
  const idField = fields.id ?? ID_FIELDS.find((name) => isId(own(name)));
  const id = idField === undefined ? undefined : own(idField);
  if (fields.id !== null && !isId(id)) return invalid(`field "${fields.id}" holds no id`);
  return { kind: 'row', row: { json, ...place, id: isId(id) ? idText(json, idField ?? '', id) : null } };
}

/** The line with another text and the mark set. All else stays as it was written. */
export function writeRow({ json, path }: Row, rewrite: string | null): string {
  const text = findSpan(json, path);
  const replaced =
    rewrite === null || text === null
      ? json
      : json.slice(0, text.start) + JSON.stringify(rewrite) + json.slice(text.end);
  const mark = String(rewrite !== null);
  const present = findSpan(replaced, [MARK_FIELD]);
  if (present !== null) return replaced.slice(0, present.start) + mark + replaced.slice(present.end);
  const end = replaced.lastIndexOf('}');
  return `${replaced.slice(0, end).trimEnd()}, "${MARK_FIELD}": ${mark}}`;
}

function locateText(value: unknown, field: string): Pick<Row, 'text' | 'path'> | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { text: value, path: [field] };
  if (!Array.isArray(value)) return null;
  const at = value.findLastIndex(
    (message: unknown) => isRecord(message) && message.role === 'user' && typeof message.content === 'string',
  );
  const message: unknown = value[at];
  if (!isRecord(message) || typeof message.content !== 'string' || message.content.trim() === '') return null;
  return { text: message.content, path: [field, at, 'content'] };
}

/** A number as it is written: the row may have more digits than a number of ours. */
function idText(json: string, field: string, id: string | number): string {
  const span = findSpan(json, [field]);
  return typeof id === 'string' || span === null ? String(id) : json.slice(span.start, span.end);
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(reason: string): ReadRow {
  return { kind: 'invalid', reason };
}
