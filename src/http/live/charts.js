import { ApiError, get } from './api.js';
import { Compare } from './compare.js';
import { h } from './dom.js';
import { makeFigure } from './figure.js';
import { curvesOf, FIGURES } from './figures-table.js';
import { Vitals } from './vitals.js';

const MOST_POINTS = 600;
const LONGEST_WINDOW = 10_000;
const SMOOTHING = 'peervote-smoothing';

/** Curves of a cohort over its steps, and of those that it is compared with. */
export class Charts {
  /** @param {string} cohort */
  constructor(cohort) {
    this.cohort = cohort;
    this.vitals = new Vitals();
    this.compare = new Compare(cohort);
    this.note = h('p', { class: 'nothing' }, 'Loading the curves.');
    this.grid = h('div', { class: 'charts' });
    this.whole = h('button', { type: 'button', class: 'quiet', hidden: true }, 'Show all steps');
    this.whole.addEventListener('click', () => this.zoom(null));
    this.weight = Number(sessionStorage.getItem(SMOOTHING)) || 0;
    this.element = h(
      'section',
      { 'aria-labelledby': 'curves-title' },
      h(
        'div',
        { class: 'panel-head curves-head' },
        h('h2', { id: 'curves-title' }, 'Curves over steps'),
        this.compare.element,
        this.#slider(),
        this.whole,
      ),
      this.note,
      this.grid,
    );
    /** @type {Map<string, ReturnType<typeof makeFigure>>} */
    this.figures = new Map();
    /** @type {{ cohort: string, reply: import('./figures-table.js').Reply }[]} */
    this.shown = [];
    /** @type {{ from: number, to: number } | null} */
    this.range = null;
    this.onZoom = () => {};
  }

  /**
   * Fetches what there is and shows it. Throws ApiError.
   * @param {string[]} compared
   * @param {AbortSignal} signal
   */
  async refresh(compared, signal) {
    this.compare.choose(compared);
    const [own, ...others] = await Promise.all([
      this.#read(this.cohort, signal),
      ...compared.map((name) => this.#readOther(name, signal)),
    ]);
    if (signal.aborted) return;
    this.vitals.show(own);
    this.shown = [{ cohort: this.cohort, reply: own }, ...others.filter((other) => other !== null)];
    const isEmpty = this.shown.every(({ reply }) => reply.steps.length === 0);
    this.note.textContent = isEmpty ? 'No curves yet: they begin with the first group that is decided.' : '';
    this.note.hidden = !isEmpty;
    this.grid.hidden = isEmpty;
    if (!isEmpty) this.#draw();
  }

  /** @param {string} why */
  miss(why) {
    this.note.hidden = false;
    this.note.textContent = `The curves cannot be shown: ${why}`;
  }

  /** @param {{ from: number, to: number } | null} range */
  zoom(range) {
    this.range = range;
    this.whole.hidden = range === null;
    this.onZoom();
  }

  close() {
    for (const figure of this.figures.values()) figure.close();
  }

  #draw() {
    for (const [name, title, meaning, isShare] of FIGURES) {
      const curves = curvesOf(name, this.shown);
      let figure = this.figures.get(name);
      const isNew = figure === undefined;
      if (isNew && curves.lines.every(({ values }) => values.every((value) => value === null))) continue;
      figure ??= makeFigure({ title, meaning, isShare }, (from, to) => this.zoom({ from, to }));
      if (isNew) {
        this.figures.set(name, figure);
        const order = FIGURES.flatMap(([each]) => this.figures.get(each)?.element ?? []);
        this.grid.replaceChildren(...order);
      }
      figure.show(curves, this.weight);
    }
  }

  #slider() {
    const slider = /** @type {HTMLInputElement} */ (
      h('input', { id: 'smoothing', type: 'range', min: 0, max: 0.98, step: 0.02, value: this.weight })
    );
    const value = h('output', { for: 'smoothing' }, String(this.weight));
    slider.addEventListener('input', () => {
      this.weight = Number(slider.value);
      value.textContent = slider.value;
      sessionStorage.setItem(SMOOTHING, slider.value);
      this.#draw();
    });
    return h('div', { class: 'smoothing' }, h('label', { for: 'smoothing' }, 'Smoothing'), slider, value);
  }

  /**
   * One that is not there, or not for this token, is left out.
   * @param {string} cohort
   * @param {AbortSignal} signal
   */
  async #readOther(cohort, signal) {
    try {
      return { cohort, reply: await this.#read(cohort, signal) };
    } catch (error) {
      if (error instanceof ApiError && error.status >= 402 && error.status < 500) return null;
      throw error;
    }
  }

  /**
   * As many points as a screen can show: the server merges the steps, which keeps every figure exact.
   * @param {string} cohort
   * @param {AbortSignal} signal
   * @returns {Promise<import('./figures-table.js').Reply>}
   */
  async #read(cohort, signal) {
    const names = encodeURIComponent(FIGURES.map(([name]) => name).join(','));
    const range = this.range === null ? '' : `&from=${this.range.from}&to=${this.range.to}`;
    const path = `cohorts/${encodeURIComponent(cohort)}/diagnostics?metrics=${names}`;
    const ask = (/** @type {number} */ window) =>
      get(`${path}&limit=${MOST_POINTS}&window=${window}${range}`, signal);
    /** @type {import('./figures-table.js').Reply} */
    const latest = await ask(1);
    if (latest.earlier_steps === 0) return latest;
    const { steps } = latest;
    const stride = ((steps.at(-1) ?? 0) - (steps[0] ?? 0)) / Math.max(1, steps.length - 1);
    const span = (latest.earlier_steps + steps.length) * stride;
    return ask(Math.min(LONGEST_WINDOW, Math.max(1, Math.ceil(span / (MOST_POINTS - 1)))));
  }
}
