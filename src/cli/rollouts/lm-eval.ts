type Fields = ReadonlyMap<string, unknown>;

/** A sample that lm-evaluation-harness logs under --log_samples. */
export function isLmEval(fields: Fields): boolean {
  return fields.has('doc_id') && (fields.has('resps') || fields.has('filtered_resps'));
}

/**
 * A logged sample as a row of ours. `resps` has one list per request, with as many texts as the task repeats; a task by
 * log-likelihood has numbers there and no answers to vote with. The hash names a problem across tasks and files, which
 * `doc_id` alone does not.
 */
export function readLmEval(
  fields: Fields,
):
  | { readonly row: Readonly<Record<string, unknown>>; readonly filter: string | null }
  | { readonly reason: string } {
  const texts = [fields.get('resps') ?? fields.get('filtered_resps')].flat(3);
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) {
    return {
      reason:
        'this lm-eval sample has no texts in resps: its task compares log-likelihoods, which have no votes',
    };
  }
  const hash = fields.get('doc_hash');
  const filter = fields.get('filter');
  return {
    row: {
      prompt_id: typeof hash === 'string' ? hash : `doc-${String(fields.get('doc_id'))}`,
      agent: fields.get('agent') ?? fields.get('model'),
      gold: fields.get('target'),
      completion: texts,
    },
    filter: typeof filter === 'string' ? filter : null,
  };
}
