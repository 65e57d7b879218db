import { get } from './api.js';
import { h, show } from './dom.js';
import { linkTo } from './route.js';

/** Cohorts that are shown beside one: more curves nobody tells apart. */
export const MOST_COMPARED = 3;
const LISTED = 60;

/** Chooses the cohorts whose curves are drawn beside those of one, as TTRL's beside Co-RL's. The address holds the choice. */
export class Compare {
  /** @param {string} cohort */
  constructor(cohort) {
    this.cohort = cohort;
    /** @type {string[]} */
    this.chosen = [];
    this.word = h('summary', {}, 'Compare with …');
    this.list = h('div', { class: 'compare-list' });
    this.element = h('details', { class: 'compare' }, this.word, this.list);
    this.element.addEventListener('toggle', () => void this.#fill());
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.word.textContent = chosen.length === 0 ? 'Compare with …' : `Compared with ${chosen.join(', ')}`;
  }

  async #fill() {
    if (!(/** @type {HTMLDetailsElement} */ (this.element).open)) return;
    try {
      const { cohorts } = await get('cohorts');
      const others = cohorts
        .map((/** @type {{ name: string }} */ { name }) => name)
        .filter((/** @type {string} */ name) => name !== this.cohort)
        .slice(0, LISTED);
      show(this.list, [others, this.chosen], () =>
        others.length === 0
          ? [h('p', { class: 'nothing' }, 'There is no other cohort.')]
          : others.map((/** @type {string} */ name) => this.#box(name)),
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      show(this.list, why, () => [h('p', { class: 'nothing' }, `The cohorts cannot be listed: ${why}`)]);
    }
  }

  /** @param {string} name */
  #box(name) {
    const box = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', id: `compare-${name}` }));
    box.checked = this.chosen.includes(name);
    box.addEventListener('change', () => {
      const rest = this.chosen.filter((each) => each !== name);
      const compare = box.checked ? [...rest, name].slice(-MOST_COMPARED) : rest;
      location.hash = linkTo(this.cohort, { compare });
    });
    return h('label', { class: 'check' }, box, ' ', name);
  }
}
