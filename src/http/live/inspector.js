import { get } from './api.js';
import { showPrompt } from './bucket-view.js';
import { foreign, h, moveByArrows, show } from './dom.js';
import { countNoun } from './format.js';
import { LISTS, linkTo } from './route.js';

const LISTED = 200;

/**
 * @typedef {{ prompt: string, round: number, note: string }} Entry
 * @typedef {{ prompt_id: string, round: number, step: number | null, marks: string[], labels: { agent: string, label: string | null }[] }} Recent
 */

/** Prompts of a cohort in lists to jump to, and everything about the one that is chosen. */
export class Inspector {
  /** @param {string} cohort */
  constructor(cohort) {
    this.cohort = cohort;
    this.path = `cohorts/${encodeURIComponent(cohort)}`;
    this.lists = h('nav', { class: 'chips', 'aria-label': 'Lists of prompts' });
    this.prompts = h('ul', { class: 'prompts' });
    this.back = h('p', { class: 'back' });
    this.detail = h('div', { class: 'detail' });
    this.field = /** @type {HTMLInputElement} */ (
      h('input', {
        id: 'prompt-id',
        type: 'search',
        autocomplete: 'off',
        spellcheck: 'false',
        required: true,
      })
    );
    const form = h(
      'form',
      { class: 'search', role: 'search' },
      h('label', { for: 'prompt-id' }, 'Prompt id'),
      h('div', { class: 'row' }, this.field, h('button', { type: 'submit' }, 'Look')),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      location.hash = linkTo(cohort, { view: 'inspect', prompt: this.field.value.trim() });
    });
    moveByArrows(this.prompts);
    this.element = h(
      'div',
      { class: 'inspector' },
      h('section', { class: 'panel list', 'aria-label': 'Prompts' }, form, this.lists, this.prompts),
      h(
        'section',
        { class: 'panel', 'aria-label': 'The prompt', 'aria-live': 'off' },
        this.back,
        this.detail,
      ),
    );
  }

  /**
   * Fetches what there is and shows it. Throws ApiError; what is not known of one prompt is shown in its place.
   * @param {import('./route.js').Route} route
   * @param {AbortSignal} signal
   */
  async refresh(route, signal) {
    const [recent, open, samples, bucket] = await Promise.all([
      get(`${this.path}/recent`, signal),
      get(`${this.path}/buckets?limit=${LISTED}`, signal),
      get(`${this.path}/samples`, signal),
      this.#bucket(route.prompt, signal),
    ]);
    if (signal.aborted) return;
    // On a narrow screen there is room for one of both.
    this.element.classList.toggle('chosen', route.prompt !== null);
    const lists = LISTS.map(([name]) => entriesOf(name, recent.prompts, open.buckets, samples.prompts));
    const listed = lists[LISTS.findIndex(([name]) => name === route.list)] ?? [];
    // Of those that wait only the first are listed.
    const counts = LISTS.map(([name], at) => (name === 'waiting' ? open.open_buckets : lists[at]?.length));
    show(this.lists, [counts, route], () => LISTS.map((list, at) => this.#chip(list, counts[at], route)));
    show(this.prompts, [listed, route], () => this.#list(listed, route));
    show(this.back, [route.list], () => [
      h('a', { href: linkTo(this.cohort, { view: 'inspect', list: route.list }) }, 'All prompts'),
    ]);
    show(this.detail, [bucket, route], () => showPrompt(this.cohort, route, bucket));
  }

  /**
   * @param {string | null} prompt
   * @param {AbortSignal} signal
   */
  async #bucket(prompt, signal) {
    if (prompt === null) return null;
    try {
      return await get(`${this.path}/buckets/${encodeURIComponent(prompt.toWellFormed())}`, signal);
    } catch (error) {
      const { status, message } = /** @type {import('./api.js').ApiError} */ (error);
      if (status === 404 || status === 422 || status === 414) return { missing: message };
      throw error;
    }
  }

  /**
   * @param {(typeof LISTS)[number]} list
   * @param {number | undefined} count
   * @param {import('./route.js').Route} route
   */
  #chip([name, title], count, { list, prompt, round }) {
    const href = linkTo(this.cohort, { view: 'inspect', prompt, round, list: name });
    return h('a', { href, 'aria-current': name === list && 'true' }, `${title} (${count ?? 0})`);
  }

  /**
   * @param {Entry[]} entries
   * @param {import('./route.js').Route} route
   */
  #list(entries, { prompt: current, round: currentRound, list }) {
    if (entries.length === 0) return [h('li', { class: 'nothing' }, 'None.')];
    return entries.map(({ prompt, round, note }) => {
      const isCurrent = prompt === current && (currentRound === null || currentRound === round);
      return h(
        'li',
        {},
        h(
          'a',
          {
            href: linkTo(this.cohort, { view: 'inspect', prompt, round, list }),
            'aria-current': isCurrent && 'true',
          },
          foreign(prompt, 'one-line'),
          h('span', { class: 'note' }, note),
        ),
      );
    });
  }
}

/**
 * @param {import('./route.js').List} list
 * @param {Recent[]} recent
 * @param {Parameters<typeof toWaiting>[0][]} open
 * @param {Parameters<typeof toKept>[0][]} kept
 * @returns {Entry[]}
 */
function entriesOf(list, recent, open, kept) {
  if (list === 'waiting') return open.map(toWaiting);
  if (list === 'kept') return kept.map(toKept);
  return recent.filter(({ marks }) => list === 'recent' || marks.includes(list)).map(toEntry);
}

/** @param {Recent} prompt */
function toEntry({ prompt_id, round, step, labels, marks }) {
  const votes = labels.map(({ agent, label }) => `${agent}: ${label === null ? '–' : shorten(label)}`);
  const when = step === null ? `round ${round}` : `step ${step}`;
  return { prompt: prompt_id, round, note: [when, ...votes, ...marks.map(nameOf)].join(', ') };
}

/** @param {string} mark */
function nameOf(mark) {
  return mark.replace('-', ' ');
}

/** @param {string} label */
function shorten(label) {
  return label.length > 24 ? `${label.slice(0, 23)}…` : label;
}

/** @param {{ prompt_id: string, round: number, groups: { agent: string, state: string, have: number, need: number }[] }} bucket */
function toWaiting({ prompt_id, round, groups }) {
  const missing = groups
    .filter(({ state }) => state === 'open')
    .map(({ agent, have, need }) => `${agent} ${have}/${need}`);
  return { prompt: prompt_id, round, note: `round ${round}, waits for ${missing.join(', ')}` };
}

/** @param {{ prompt_id: string, round: number, agents: string[], completions: number }} prompt */
function toKept({ prompt_id, round, agents, completions }) {
  return {
    prompt: prompt_id,
    round,
    note: `round ${round}, ${countNoun(completions, 'completion')} of ${countNoun(agents.length, 'agent')}`,
  };
}
