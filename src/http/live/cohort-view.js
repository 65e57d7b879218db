import { ApiError, follow, get } from './api.js';
import { Charts } from './charts.js';
import { h, show } from './dom.js';
import { Inspector } from './inspector.js';
import { Overview } from './overview.js';
import { linkTo, readRoute } from './route.js';

const CHARTS_EVERY_MS = 5_000;
const PROMPT_EVERY_MS = 3_000;
const STATE_EVERY_MS = 3_000;
const RETRY_MS = 2_000;

/**
 * @typedef {{ tell: (state: 'live' | 'polling' | 'lost') => void, fail: (error: unknown) => void }} Watcher
 */

/** One cohort: what goes on in it, its curves and its prompts. Keeps itself up to date until it is closed. */
export class CohortView {
  /**
   * @param {string} cohort
   * @param {Watcher} watcher
   */
  constructor(cohort, watcher) {
    this.cohort = cohort;
    this.watcher = watcher;
    this.path = `cohorts/${encodeURIComponent(cohort)}`;
    this.closed = new AbortController();
    this.charts = new Charts(cohort);
    this.overview = new Overview(this.charts.vitals.element);
    this.charts.onZoom = () => void this.#refreshCharts();
    this.inspector = new Inspector(cohort);
    this.tabs = h('nav', { class: 'tabs', 'aria-label': 'Views of the cohort' });
    this.loading = h('p', { class: 'nothing' }, 'Loading the cohort.');
    this.body = h('div', {}, this.loading);
    this.element = h('div', {}, h('div', { class: 'title' }, h('h1', {}, cohort), this.tabs), this.body);
    /** @type {import('./route.js').Route} */
    this.route = readRoute(linkTo(cohort));
    /** @type {AbortController | null} */
    this.asking = null;
    this.seen = false;
    void this.#followState();
    void this.#repeat(CHARTS_EVERY_MS, () => this.#refreshCharts());
    void this.#repeat(PROMPT_EVERY_MS, () => this.#refreshPrompt());
  }

  /** @param {import('./route.js').Route} route */
  show(route) {
    this.route = route;
    const tab = (/** @type {'overview' | 'inspect'} */ name, /** @type {string} */ text) =>
      h(
        'a',
        { href: linkTo(this.cohort, { view: name }), 'aria-current': route.view === name && 'page' },
        text,
      );
    show(this.tabs, route.view, () => [tab('overview', 'Overview'), tab('inspect', 'Prompts')]);
    this.#showBody();
    if (route.view === 'inspect') void this.#refreshPrompt();
    else void this.#refreshCharts();
  }

  close() {
    this.closed.abort();
    this.charts.close();
  }

  #showBody() {
    if (!this.seen) return;
    const parts =
      this.route.view === 'inspect' ? [this.inspector.element] : [this.overview.element, this.charts.element];
    if (this.body.firstChild !== parts[0]) this.body.replaceChildren(...parts);
  }

  /** Follows the events; where they do not come through, asks every few seconds. */
  async #followState() {
    const { signal } = this.closed;
    while (!signal.aborted) {
      try {
        await follow(`${this.path}/events`, signal, (state) => this.#see(state, 'live'));
        this.#see(await get(this.path, signal), 'polling');
        await pause(STATE_EVERY_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(error);
        await pause(RETRY_MS, signal);
      }
    }
  }

  /**
   * @param {import('./overview.js').State} state
   * @param {'live' | 'polling'} how
   */
  #see(state, how) {
    if (this.closed.signal.aborted) return;
    this.watcher.tell(how);
    this.seen = true;
    this.overview.show(state);
    this.#showBody();
  }

  async #refreshCharts() {
    if (this.route.view !== 'overview') return;
    try {
      await this.charts.refresh(this.route.compare, this.closed.signal);
    } catch (error) {
      if (this.closed.signal.aborted) return;
      // That there are no curves is no reason to show nothing else.
      if (error instanceof ApiError && error.status >= 402 && error.status < 500)
        this.charts.miss(error.message);
      else this.#fail(error);
    }
  }

  async #refreshPrompt() {
    if (this.route.view !== 'inspect') return;
    // What was asked for before is not wanted any more.
    this.asking?.abort();
    this.asking = new AbortController();
    const signal = AbortSignal.any([this.asking.signal, this.closed.signal]);
    try {
      await this.inspector.refresh(this.route, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.watcher.fail(error instanceof Error ? error : new ApiError(-1, String(error)));
  }

  /**
   * @param {number} everyMs
   * @param {() => Promise<void>} action
   */
  async #repeat(everyMs, action) {
    const { signal } = this.closed;
    while (!signal.aborted) {
      await pause(everyMs, signal);
      if (!signal.aborted && document.visibilityState === 'visible') await action();
    }
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
