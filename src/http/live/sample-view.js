import { foreign, h } from './dom.js';
import { formatCount } from './format.js';

/**
 * @typedef {{ round: number, agent: string, rollout_id: string, answer: string | null, key: string | null, text: string, cut: { at: number, characters: number } | null, span: { start: number, end: number } | null, note: string | null }} Sample
 */

/**
 * A completion with its answer marked where it was taken.
 * @param {Sample} sample
 */
export function showSample({ rollout_id, answer, key, text, cut, span, note }) {
  return h(
    'details',
    { class: 'sample', open: true },
    h(
      'summary',
      {},
      'Rollout ',
      foreign(rollout_id),
      answer === null ? ' abstains' : h('span', {}, ' answers ', foreign(answer, 'answer')),
      key === null || key === answer ? null : h('span', { class: 'note' }, ' key ', foreign(key, 'key')),
    ),
    note === null ? null : h('p', { class: 'note' }, note),
    h(
      'pre',
      { dir: 'auto', tabindex: 0, role: 'region', 'aria-label': 'Completion' },
      ...cutUp(text, cut, span),
    ),
  );
}

/**
 * The text in pieces: plain, the answer, and a word on what was left out.
 * @param {string} text
 * @param {Sample['cut']} cut
 * @param {Sample['span']} span
 */
function cutUp(text, cut, span) {
  /** @type {{ at: number, end: number, node: () => Node }[]} */
  const marks = [];
  if (cut !== null) {
    const left = `[${formatCount(cut.characters)} characters left out]`;
    marks.push({ at: cut.at, end: cut.at, node: () => h('span', { class: 'left-out' }, left) });
  }
  if (span !== null) {
    const { start, end } = span;
    marks.push({
      at: start,
      end,
      node: () => h('mark', { title: 'The answer was read here' }, text.slice(start, end)),
    });
  }
  marks.sort((a, b) => a.at - b.at);
  /** @type {(Node | string)[]} */
  const pieces = [];
  let at = 0;
  for (const mark of marks) {
    pieces.push(text.slice(at, mark.at), mark.node());
    at = mark.end;
  }
  return [...pieces, text.slice(at)];
}
