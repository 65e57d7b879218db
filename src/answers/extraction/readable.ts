import { analyseCached } from '../form-cache.ts';
import { valueOf } from '../forms/form.ts';

/** Whether a candidate parses whole as something other than words; candidates that do not are passed over. */
export function isMathematical(candidate: string): boolean {
  if (candidate.length > 2000 || candidate.trim() === '') return false;
  const form = analyseCached(candidate);
  if (form === null) return false;
  const { kind } = valueOf(form);
  return kind !== 'text' && kind !== 'opaque';
}
