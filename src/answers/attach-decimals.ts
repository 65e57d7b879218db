import { analyseCached } from './form-cache.ts';
import { equalScalars } from './forms/equal-scalars.ts';
import { type Form, type ScalarForm, withoutName } from './forms/form.ts';

/** Decimals with fewer places than this are answers of their own: 0.5 rounds too much to stand for another number. */
const MIN_DECIMALS = 3;
/** The places that are compared at most. */
const MAX_DECIMALS = 6;

/**
 * The vote keys of one group's answers, where rounded decimals vote for what they round: a decimal of three or more places
 * that no exact answer shares joins the exact answer of the group that equals it at its own precision (at most six
 * places), if there is just one. Exact answers are never joined with each other, so no chains arise. The result does not
 * depend on the order of the answers.
 */
export function attachDecimals(answers: ReadonlyArray<string | null>): Array<string | null> {
  const forms = answers.map((answer) => (answer === null ? null : analyseCached(answer)));
  const anchors = new Map<string, ScalarForm>();
  for (const form of forms) {
    const scalar = form === null ? null : realScalar(form);
    if (scalar !== null && scalar.decimals === 0) anchors.set(scalar.key, scalar);
  }
  return forms.map((form) => {
    if (form === null) return null;
    const scalar = realScalar(form);
    if (scalar === null || scalar.decimals < MIN_DECIMALS || anchors.has(scalar.key)) return form.key;
    const decimals = Math.min(scalar.decimals, MAX_DECIMALS);
    const options = { decimals, dropBase: false, strictNames: false };
    const matches = [...anchors.values()].filter((anchor) => equalScalars(scalar, anchor, options));
    const [only] = matches;
    return matches.length === 1 && only !== undefined ? only.key : form.key;
  });
}

function realScalar(form: Form): ScalarForm | null {
  if (form.restated === true) return null;
  const value = withoutName(form);
  const real = value.kind === 'scalar' && (value.scalar.kind === 'exact' || value.scalar.kind === 'constant');
  return real && !value.percent ? value : null;
}
