/** A field of a rollout, and the names that it goes by in files, the first one that a row has being taken. */
export const ALIASES = {
  prompt_id: ['prompt_id', 'problem_id', 'question_id', 'task_id'],
  agent: ['agent', 'model', 'model_name', 'policy'],
  round: ['round'],
  step: ['step', 'global_step'],
  k: ['k', 'index', 'rollout_index', 'sample_index', 'sample'],
  prompt: ['prompt', 'input', 'query', 'question', 'problem'],
  gold: ['gold', 'ground_truth', 'gts', 'truth', 'label', 'target', 'reference_answer'],
  completion: [
    'completion',
    'completions',
    'response',
    'responses',
    'output',
    'outputs',
    'generation',
    'text',
  ],
  answer: ['answer'],
  truncated: ['truncated'],
  mode: ['mode'],
  choices: ['choices'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Field = keyof typeof ALIASES;
type FieldNames = Readonly<Record<Field, readonly string[]>>;

/** `gold=answer,prompt_id=qid`: these fields have this name and no other; an empty one takes the field away. */
export function parseFieldNames(
  text: string,
): { readonly ok: true; readonly names: FieldNames } | { readonly ok: false; readonly problem: string } {
  const names: Record<Field, readonly string[]> = { ...ALIASES };
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const field = part.slice(0, Math.max(0, at)).trim();
    if (!isField(field)) {
      return {
        ok: false,
        problem: `"${part}" names no field: write FIELD=NAME with a field of ${Object.keys(ALIASES).join(', ')}`,
      };
    }
    const name = part.slice(at + 1).trim();
    names[field] = name === '' ? [] : [name];
  }
  return { ok: true, names };
}

function isField(text: string): text is Field {
  return Object.hasOwn(ALIASES, text);
}
