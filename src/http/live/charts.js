import { get } from './api.js';
import { h, show, table } from './dom.js';
import { formatFigure } from './format.js';
import { plot } from './plot.js';

const MOST_POINTS = 600;
const LONGEST_WINDOW = 10_000;
const ROWS = 60;

/** Figure, title, what it means, and whether it is a share. */
const FIGURES = /** @type {const} */ ([
  ['agreement', 'Agreement', 'Prompts on which both agents of a pair vote for the same answer', true],
  ['label_accuracy', 'Label accuracy', 'Own labels that the ground truth confirms', true],
  ['label_coverage', 'Label coverage', 'Groups that have a label', true],
  ['reward_mean', 'Reward', 'Mean over rollouts', true],
  ['reward_std_within_pop', 'Reward spread', 'Standard deviation within a group: 0 gives no gradient', false],
  ['frac_reward_zero_std', 'Groups without spread', 'All rewards of the group are the same', true],
  ['completions/mean_length', 'Completion length', 'Tokens, mean', false],
  ['completions/clipped_ratio', 'Clipped', 'Completions that the length limit cut', true],
  ['uniform_vote_rate', 'Unanimous groups', 'All rollouts of an agent gave the same answer', true],
  ['vote_tie_rate', 'Ties', 'The top count is shared', true],
  ['label_complementarity', 'Complementarity', 'Exactly one of a pair has it right', true],
  ['barrier_wait_mean_s', 'Wait at the barrier', 'Seconds, mean', false],
]);

/**
 * @typedef {{ steps: number[], earlier_steps: number, agents: Subject[], pairs: (Subject & { peer: string })[] }} Reply
 * @typedef {{ agent: string, series: Record<string, { value: (number | null)[] }> }} Subject
 * @typedef {{ label: string, color: number, dashed: boolean, values: (number | null)[] }} Line
 */

/** Curves of a cohort over its steps. */
export class Charts {
  /** @param {string} cohort */
  constructor(cohort) {
    this.path = `cohorts/${encodeURIComponent(cohort)}/diagnostics`;
    this.note = h('p', { class: 'nothing' }, 'Loading the curves.');
    this.grid = h('div', { class: 'charts' });
    this.whole = h('button', { type: 'button', class: 'quiet', hidden: true }, 'Show all steps');
    this.whole.addEventListener('click', () => this.zoom(null));
    this.element = h(
      'section',
      { 'aria-labelledby': 'curves-title' },
      h('div', { class: 'panel-head' }, h('h2', { id: 'curves-title' }, 'Curves over steps'), this.whole),
      this.note,
      this.grid,
    );
    /** @type {Map<string, ReturnType<typeof makeFigure>>} */
    this.figures = new Map();
    /** @type {{ from: number, to: number } | null} */
    this.range = null;
    this.onZoom = () => {};
  }

  /**
   * Fetches what there is and shows it. Throws ApiError.
   * @param {AbortSignal} signal
   */
  async refresh(signal) {
    const reply = await this.#read(signal);
    if (signal.aborted) return;
    const { steps, agents, pairs } = reply;
    const isEmpty = steps.length === 0;
    this.note.textContent = isEmpty ? 'No curves yet: they begin with the first group that is decided.' : '';
    this.note.hidden = !isEmpty;
    this.grid.hidden = isEmpty;
    if (isEmpty) return;
    for (const [name, title, meaning, isShare] of FIGURES) {
      const lines = linesOf(name, agents, pairs);
      if (lines.every(({ values }) => values.every((value) => value === null))) continue;
      let figure = this.figures.get(name);
      if (figure === undefined) {
        figure = makeFigure({ title, meaning, isShare }, (from, to) => this.zoom({ from, to }));
        this.figures.set(name, figure);
        const order = FIGURES.flatMap(([each]) => this.figures.get(each)?.element ?? []);
        this.grid.replaceChildren(...order);
      }
      figure.show(steps, lines);
    }
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

  /**
   * As many points as a screen can show: the server merges the steps, which keeps every figure exact.
   * @param {AbortSignal} signal
   * @returns {Promise<Reply>}
   */
  async #read(signal) {
    const names = FIGURES.map(([name]) => name).join(',');
    const range = this.range === null ? '' : `&from=${this.range.from}&to=${this.range.to}`;
    const ask = (/** @type {number} */ window) =>
      get(
        `${this.path}?metrics=${encodeURIComponent(names)}&limit=${MOST_POINTS}&window=${window}${range}`,
        signal,
      );
    /** @type {Reply} */
    const latest = await ask(1);
    if (latest.earlier_steps === 0) return latest;
    const { steps } = latest;
    const stride = ((steps.at(-1) ?? 0) - (steps[0] ?? 0)) / Math.max(1, steps.length - 1);
    const span = (latest.earlier_steps + steps.length) * stride;
    return ask(Math.min(LONGEST_WINDOW, Math.max(1, Math.ceil(span / (MOST_POINTS - 1)))));
  }
}

/**
 * @param {string} name
 * @param {Reply['agents']} agents
 * @param {Reply['pairs']} pairs
 * @returns {Line[]}
 */
function linesOf(name, agents, pairs) {
  const ofAgents = agents.flatMap(({ agent, series }, color) =>
    series[name] === undefined
      ? []
      : [{ label: agent, color, dashed: color >= 8, values: series[name].value }],
  );
  const ofPairs = pairs.flatMap(({ agent, peer, series }, color) =>
    series[name] === undefined
      ? []
      : [{ label: `${agent} – ${peer}`, color, dashed: color >= 8, values: series[name].value }],
  );
  return [...ofAgents, ...ofPairs];
}

/**
 * @param {{ title: string, meaning: string, isShare: boolean }} about
 * @param {(from: number, to: number) => void} onZoom
 */
function makeFigure({ title, meaning, isShare }, onZoom) {
  const canvas = h('div', { class: 'chart', 'aria-hidden': 'true' });
  const rows = h('div', { hidden: true });
  const button = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Show as table');
  button.setAttribute('aria-label', `Show as table: ${title}`);
  const element = h(
    'figure',
    { class: 'panel' },
    h('figcaption', { class: 'panel-head' }, h('div', {}, h('h3', {}, title), h('p', {}, meaning)), button),
    canvas,
    rows,
  );
  /** @type {number[]} */
  let steps = [];
  /** @type {Line[]} */
  let lines = [];
  const drawn = plot(canvas, { isShare, onZoom });
  const renew = () => {
    if (canvas.hidden) show(rows, [steps, lines], () => [toTable(title, steps, lines)]);
    else drawn.show(steps, lines);
  };
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(pressed));
    canvas.hidden = pressed;
    rows.hidden = !pressed;
    renew();
  });
  return {
    element,
    /**
     * @param {number[]} newSteps
     * @param {Line[]} newLines
     */
    show(newSteps, newLines) {
      steps = newSteps;
      lines = newLines;
      renew();
    },
    close: () => drawn.close(),
  };
}

/**
 * The latest points, the last first.
 * @param {string} title
 * @param {number[]} steps
 * @param {Line[]} lines
 */
function toTable(title, steps, lines) {
  const points = steps.map((step, at) => [
    String(step),
    ...lines.map(({ values }) => formatFigure(values[at])),
  ]);
  return table(title, ['Step', ...lines.map(({ label }) => label)], points.slice(-ROWS).reverse());
}
