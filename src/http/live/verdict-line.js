import { h, show, svg } from './dom.js';
import { age, countNoun } from './format.js';

/**
 * @typedef {{ code: string, severity: string, agents: string[], since_ms_ago: number | null, message: string }} Finding
 * @typedef {'idle' | 'good' | 'info' | 'warning' | 'critical'} Mood
 */

const DISC = 'M10 2a8 8 0 1 0 0 16a8 8 0 1 0 0-16z';
const FINE = { word: 'Nothing is wrong', shape: DISC, sign: 'M6 10.5l2.8 2.8L14 7.6' };

/** What is said, and a shape for those who do not tell the colours apart: a tick, a triangle, an octagon, a disc. */
const LOOKS = /** @type {Record<Mood, { word: string, shape: string, sign: string }>} */ ({
  idle: { word: 'Nothing has come yet', shape: DISC, sign: '' },
  good: FINE,
  info: FINE,
  warning: { word: 'Worth a look', shape: 'M10 2l8.6 15.5H1.4z', sign: 'M10 8v4.2M10 14.4v.8' },
  critical: {
    word: 'Something is wrong',
    shape: 'M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z',
    sign: 'M10 5.6v5.4M10 13.4v.9',
  },
});

/** The first line of a cohort: whether it goes well, and what is wrong with it. */
export class VerdictLine {
  constructor() {
    this.place = h('div');
    this.element = h('section', { class: 'verdict', 'aria-label': 'What is wrong' }, this.place);
    /** @type {string | null} */
    this.told = null;
  }

  /**
   * @param {{ severity: string | null, findings: Finding[] }} verdict
   * @param {boolean} hasRollouts
   */
  show({ severity, findings }, hasRollouts) {
    const mood = /** @type {Mood} */ (severity ?? (hasRollouts ? 'good' : 'idle'));
    this.element.dataset.mood = mood;
    const shown = findings.map(({ code, severity, message }) => ({ code, severity, message }));
    show(this.place, [mood, shown], () => [
      headOf(mood, findings),
      findings.length === 0 ? null : h('ul', { class: 'findings' }, ...findings.map(showFinding)),
    ]);
    this.#announce(findings);
  }

  /**
   * A screen reader is told what is wrong, once, and not that the age of it went on.
   * @param {Finding[]} findings
   */
  #announce(findings) {
    const now = JSON.stringify(findings.map(({ code, agents }) => [code, agents]));
    const before = this.told;
    this.told = now;
    if (before === now || (before === null && findings.length === 0)) return;
    const announcer = document.getElementById('announcer');
    const text = findings.map(({ message }) => message).join(' ') || 'Nothing is wrong any more.';
    if (announcer !== null) announcer.textContent = text;
  }
}

/**
 * @param {Mood} mood
 * @param {Finding[]} findings
 */
function headOf(mood, findings) {
  const { word, shape, sign } = LOOKS[mood];
  const count = findings.filter(({ severity }) => severity !== 'info').length;
  return h(
    'p',
    { class: 'verdict-word' },
    svg(
      'svg',
      { viewBox: '0 0 20 20', 'aria-hidden': 'true' },
      svg('path', { d: shape, class: 'shape' }),
      svg('path', { d: sign, class: 'sign' }),
    ),
    h('strong', {}, word),
    count > 1 ? h('span', { class: 'note' }, countNoun(count, 'finding')) : null,
  );
}

/** @param {Finding} finding */
function showFinding({ code, severity, message, since_ms_ago }) {
  return h(
    'li',
    { class: `finding ${severity}` },
    h('span', { class: 'code' }, code.replaceAll('_', ' ')),
    ' ',
    message,
    since_ms_ago === null ? null : h('span', { class: 'note' }, ' For ', age(since_ms_ago), '.'),
  );
}
