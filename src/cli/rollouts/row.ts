import { z } from 'zod';
import { EXTRACTION_MODES, type ExtractionMode } from '../../answers/modes.ts';
import type { GroundTruth } from '../../domain/bucket.ts';
import { groundTruthSchema, toGroundTruth } from '../../protocol/ground-truth.ts';
import { signalFields, toSignals } from '../../protocol/native/signals.ts';
import { promptIdOf } from '../../protocol/prompt/prompt-text.ts';
import { choicesSchema, promptIdSchema } from '../../protocol/text.ts';
import type { RolloutInput } from '../../service/submission.ts';
import type { Field } from './aliases.ts';
import { isLmEval, readLmEval } from './lm-eval.ts';

/** Which visit to a prompt: its number, a training step that visits are counted by, or nothing, which is one visit. */
export type Visit = { readonly by: 'round' | 'step'; readonly at: number };

/** The rollouts of one line: one, or all of a list. */
export interface Row {
  readonly promptId: string;
  /** Null: the file says whose it is. */
  readonly agent: string | null;
  readonly visit: Visit;
  readonly truth: GroundTruth | null;
  readonly mode: ExtractionMode | null;
  readonly choices: readonly string[] | null;
  /** Its prompt, of messages the last of the user; null where it was not written. */
  readonly prompt: string | null;
  /** Those without an index are counted in the order of the file. */
  readonly rollouts: readonly RolloutInput[];
  /** lm-eval writes a row again for every filter; null elsewhere. */
  readonly filter: string | null;
}

export type RowReading =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface RowRules {
  readonly names: Readonly<Record<Field, readonly string[]>>;
  /** Also read what methods reward by beside the text. */
  readonly withSignals: boolean;
}

const messageSchema = z.object({ role: z.string(), content: z.string() });
const textOrMessages = z.union([z.string(), z.array(messageSchema).min(1)], {
  error: 'expected a text, or messages with role and content',
});
const whole = z.int({ error: 'expected a whole number' }).min(0);

const rowSchema = z.object({
  prompt_id: z.union([z.number().transform(String), promptIdSchema], { error: 'expected a text' }).nullish(),
  agent: z.string().nullish(),
  round: whole.nullish(),
  step: whole.nullish(),
  k: whole.nullish(),
  prompt: textOrMessages.nullish(),
  gold: groundTruthSchema.optional(),
  completion: z
    .union([z.string(), z.array(z.string()).min(1), z.array(messageSchema).min(1)], {
      error: 'expected a text or a list of texts',
    })
    .nullish(),
  answer: z.union([z.string(), z.number().transform(String)]).nullish(),
  truncated: z.boolean().nullish(),
  mode: z.enum(EXTRACTION_MODES).nullish(),
  choices: choicesSchema.nullish(),
});
const signalSchema = z.object(signalFields);

/** Reads one line of a file of rollouts, in any of the forms of docs/score.md. Never throws. */
export function readRow(line: string, { names, withSignals }: RowRules): RowReading {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    return invalid('this line is not JSON');
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return invalid('expected an object');
  const fields = new Map<string, unknown>(Object.entries(raw));
  const known = isLmEval(fields) ? readLmEval(fields) : { row: rename(fields, names), filter: null };
  if ('reason' in known) return invalid(known.reason);
  const parsed = rowSchema.safeParse(known.row);
  if (!parsed.success) return invalid(explain(parsed.error, names));
  const signals = withSignals ? signalSchema.safeParse(raw) : null;
  if (signals?.success === false) return invalid(explain(signals.error, names));
  const { prompt_id, prompt, agent, round, step, gold, mode, choices, ...rest } = parsed.data;
  const text = typeof prompt === 'string' ? prompt : (lastUser(prompt ?? []) ?? null);
  if (prompt_id == null && text === null) return invalid(missing('prompt_id', names, 'or the prompt itself'));
  const contents = contentsOf(rest, fields.has('answer'));
  if (contents.length === 0) return invalid(missing('completion', names, 'or an "answer"'));
  const { groundTruth, truthFault } = toGroundTruth(gold);
  if (truthFault !== undefined) return invalid(`${names.gold.join(' or ')}: ${truthFault}`);
  const base = {
    id: null,
    tokens: null,
    truncated: rest.truncated ?? false,
    ...(signals !== null && toSignals(signals.data)),
  };
  const first = rest.k ?? null;
  return {
    kind: 'row',
    row: {
      promptId: prompt_id ?? promptIdOf(text ?? ''),
      agent: agent ?? null,
      visit: round == null && step != null ? { by: 'step', at: step } : { by: 'round', at: round ?? 0 },
      truth: groundTruth,
      mode: mode ?? null,
      choices: choices ?? null,
      prompt: text,
      rollouts: contents.map((content, at) => ({
        ...base,
        content,
        index: contents.length > 1 ? at : first,
      })),
      filter: known.filter,
    },
  };
}

function rename(fields: ReadonlyMap<string, unknown>, names: RowRules['names']): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [field, aliases] of Object.entries(names)) {
    for (const name of aliases) {
      const value = fields.get(name);
      if (value === undefined || value === null) continue;
      row[field] = value;
      break;
    }
  }
  return row;
}

/** A completion is read; an answer without one is what was read before. */
function contentsOf(
  { completion, answer }: Pick<z.output<typeof rowSchema>, 'completion' | 'answer'>,
  saysAnswer: boolean,
): readonly RolloutInput['content'][] {
  if (completion == null) return saysAnswer ? [{ kind: 'given', answer: answer ?? null }] : [];
  if (typeof completion === 'string') return [{ kind: 'completion', text: completion }];
  const [first] = completion;
  if (typeof first === 'object') {
    return [{ kind: 'completion', text: completion.map((part) => contentOf(part)).join('\n') }];
  }
  return completion.map((part) => ({ kind: 'completion', text: contentOf(part) }));
}

function contentOf(part: string | z.output<typeof messageSchema>): string {
  return typeof part === 'string' ? part : part.content;
}

function lastUser(messages: readonly z.output<typeof messageSchema>[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.content;
}

function missing(field: Field, names: RowRules['names'], other: string): string {
  return `this row has no ${field} (${names[field].join(', ')}) ${other}; --fields ${field}=NAME says what it is called`;
}

function explain({ issues }: z.ZodError, names: RowRules['names']): string {
  const [issue] = issues;
  const field = String(issue?.path[0] ?? '');
  const called = names[field as Field]?.join(' or ') ?? field;
  return `${called}: ${issue?.message ?? 'cannot be read'}`;
}

function invalid(reason: string): RowReading {
  return { kind: 'invalid', reason };
}
