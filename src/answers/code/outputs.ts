import { detach } from '../detach.ts';
import { hashText } from '../text-key.ts';

/** A longer key is a hash. */
const MAX_KEY_LENGTH = 160;
/** Of the answer as people read it; its key knows all of it. */
const MAX_SHOWN_LENGTH = 1_000;

/** What a program gave for the calls it was asked for, as an answer; `key` is null when it abstains. */
export interface CodeAnswer {
  readonly answer: string | null;
  readonly key: string | null;
}

/**
 * The answer that the outputs of a program are, in the order of the calls. An output is canonical text, or `<…>` for a call
 * that failed; a program that failed in all of them, or was asked for none, abstains.
 */
export function readOutputs(outputs: readonly string[]): CodeAnswer {
  if (outputs.every((output) => output.startsWith('<'))) return { answer: null, key: null };
  const text = `(${outputs.join(', ')}${outputs.length === 1 ? ',' : ''})`;
  const key = text.length > MAX_KEY_LENGTH ? `outputs:${hashText(text)}` : detach(text);
  const shown = text.length > MAX_SHOWN_LENGTH ? detach(`${text.slice(0, MAX_SHOWN_LENGTH)}…`) : text;
  return { answer: key === shown ? key : shown, key };
}
