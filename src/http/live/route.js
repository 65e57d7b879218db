/** Lists of prompts that can be chosen, with their titles. */
export const LISTS = /** @type {const} */ ([
  ['recent', 'Most recent'],
  ['disagreement', 'Disagreements'],
  ['tie', 'Ties'],
  ['unlabeled', 'Unlabeled'],
  ['label-wrong', 'Label wrong'],
  ['waiting', 'Waiting'],
  ['kept', 'With completions'],
]);

/**
 * Where the page stands, as the address says it.
 * @typedef {(typeof LISTS)[number][0]} List
 * @typedef {{ cohort: string | null, view: 'overview' | 'inspect', prompt: string | null, round: number | null, list: List, compare: string[] }} Route
 */

/**
 * Reads `#/COHORT`, `#/COHORT/inspect`, `#/COHORT/inspect/PROMPT` and `#/COHORT/inspect/PROMPT/ROUND`, behind each of which
 * `?list=` may name a list of prompts and `?compare=`, once or more, a cohort.
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const [path = '', query] = hash.replace(/^#\/?/, '').split('?', 2);
  const [cohort, view, prompt, round] = path.split('/').map(decode);
  const asked = new URLSearchParams(query);
  return {
    cohort: cohort || null,
    view: view === 'inspect' ? 'inspect' : 'overview',
    prompt: prompt || null,
    round: round !== undefined && /^\d+$/.test(round) ? Number(round) : null,
    list: LISTS.find(([name]) => name === asked.get('list'))?.[0] ?? 'recent',
    compare: [...new Set(asked.getAll('compare'))].filter((name) => name !== '' && name !== cohort),
  };
}

/**
 * The address of a cohort, and of what of it: its inspector, a prompt, a round, a list, cohorts beside it.
 * @param {string} cohort
 * @param {Partial<Omit<Route, 'cohort'>>} [where]
 */
export function linkTo(cohort, { view = 'overview', prompt = null, round = null, list, compare = [] } = {}) {
  const parts = [cohort, ...(view === 'inspect' ? ['inspect'] : []), ...(prompt === null ? [] : [prompt])];
  if (round !== null) parts.push(String(round));
  const query = new URLSearchParams(compare.map((name) => ['compare', name]));
  if (list !== undefined && list !== 'recent') query.set('list', list);
  const path = parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  return `#/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
