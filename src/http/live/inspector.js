import { get } from './api.js';
import { showPrompt } from './bucket-view.js';
import { foreign, h, moveByArrows, show } from './dom.js';
import { countNoun } from './format.js';
import { linkTo } from './route.js';

const LISTED = 200;

/** Prompts of a cohort, and everything about the one that is chosen. */
export class Inspector {
  /** @param {string} cohort */
  constructor(cohort) {
    this.cohort = cohort;
    this.path = `cohorts/${encodeURIComponent(cohort)}`;
    this.waiting = h('ul', { class: 'prompts' });
    this.kept = h('ul', { class: 'prompts' });
    this.waitingTitle = h('h3', { id: 'waiting-title' }, 'Waiting');
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
      location.hash = linkTo(cohort, 'inspect', this.field.value.trim());
    });
    for (const list of [this.waiting, this.kept]) moveByArrows(list);
    this.element = h(
      'div',
      { class: 'inspector' },
      h(
        'section',
        { class: 'panel list', 'aria-label': 'Prompts' },
        form,
        this.waitingTitle,
        this.waiting,
        h('h3', {}, 'With completions'),
        this.kept,
      ),
      h('section', { class: 'panel', 'aria-label': 'The prompt', 'aria-live': 'off' }, this.detail),
    );
  }

  /**
   * Fetches what there is and shows it. Throws ApiError; what is not known of one prompt is shown in its place.
   * @param {import('./route.js').Route} route
   * @param {AbortSignal} signal
   */
  async refresh(route, signal) {
    const [open, samples, bucket] = await Promise.all([
      get(`${this.path}/buckets?limit=${LISTED}`, signal),
      get(`${this.path}/samples`, signal),
      this.#bucket(route.prompt, signal),
    ]);
    if (signal.aborted) return;
    this.waitingTitle.textContent = `Waiting (${open.open_buckets})`;
    show(this.waiting, [open.buckets, route.prompt], () =>
      this.#list(open.buckets.map(toWaiting), route, 'No prompt waits.'),
    );
    show(this.kept, [samples.prompts, route.prompt], () =>
      this.#list(samples.prompts.map(toKept), route, 'No completion was kept yet.'),
    );
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
   * @param {{ prompt: string, round: number, note: string }[]} prompts
   * @param {import('./route.js').Route} route
   * @param {string} nothing
   */
  #list(prompts, route, nothing) {
    if (prompts.length === 0) return [h('li', { class: 'nothing' }, nothing)];
    return prompts.map(({ prompt, round, note }) => {
      const isCurrent = prompt === route.prompt && (route.round === null || route.round === round);
      return h(
        'li',
        {},
        h(
          'a',
          { href: linkTo(this.cohort, 'inspect', prompt, round), 'aria-current': isCurrent && 'true' },
          foreign(prompt, 'one-line'),
          h('span', { class: 'note' }, note),
        ),
      );
    });
  }
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
