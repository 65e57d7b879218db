import { analyseCached } from '../form-cache.ts';
import { type Form, withoutName } from '../forms/form.ts';
import { parse } from '../math/parse.ts';
import { prepareAnswer } from '../math/prepare.ts';

const MAX_LENGTH = 2000;

/** Whether a candidate parses whole as something other than words; candidates that do not are passed over. */
export function isMathematical(candidate: string): boolean {
  return isReadable(candidate) && kindOf(candidate) !== 'text';
}

/** Whether a candidate parses whole, be it as words. */
export function isReadable(candidate: string): boolean {
  if (candidate.length > MAX_LENGTH || candidate.trim() === '') return false;
  if (parse(prepareAnswer(candidate)) === null) return false;
  const kind = kindOf(candidate);
  return kind !== null && kind !== 'opaque';
}

function kindOf(candidate: string): Form['kind'] | null {
  const form = analyseCached(candidate);
  return form === null ? null : withoutName(form).kind;
}
