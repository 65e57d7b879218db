/**
 * Where the page stands, as the address says it.
 * @typedef {{ cohort: string | null, view: 'overview' | 'inspect', prompt: string | null, round: number | null }} Route
 */

/**
 * Reads `#/COHORT`, `#/COHORT/inspect`, `#/COHORT/inspect/PROMPT` and `#/COHORT/inspect/PROMPT/ROUND`.
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const [cohort, view, prompt, round] = hash.replace(/^#\/?/, '').split('/').map(decode);
  return {
    cohort: cohort || null,
    view: view === 'inspect' ? 'inspect' : 'overview',
    prompt: prompt || null,
    round: round !== undefined && /^\d+$/.test(round) ? Number(round) : null,
  };
}

/**
 * The address of a cohort, its inspector, a prompt or a round.
 * @param {string} cohort
 * @param {'overview' | 'inspect'} [view]
 * @param {string | null} [prompt]
 * @param {number | null} [round]
 */
export function linkTo(cohort, view = 'overview', prompt = null, round = null) {
  const parts = [cohort, ...(view === 'inspect' ? ['inspect'] : []), ...(prompt === null ? [] : [prompt])];
  if (round !== null) parts.push(String(round));
  return `#/${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
