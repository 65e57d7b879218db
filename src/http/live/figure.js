import { h, show, table } from './dom.js';
import { latest, smooth } from './figures-table.js';
import { formatFigure } from './format.js';
import { plot } from './plot.js';

const ROWS = 60;

/**
 * One chart: its curves, the value of each beside its name (the latest, or that under the pointer), and the same as a table.
 * @param {{ title: string, meaning: string, isShare: boolean }} about
 * @param {(from: number, to: number) => void} onZoom
 */
export function makeFigure({ title, meaning, isShare }, onZoom) {
  const canvas = h('div', { class: 'chart', 'aria-hidden': 'true' });
  const legend = h('ul', { class: 'legend' });
  const rows = h('div', { hidden: true });
  const button = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Show as table');
  button.setAttribute('aria-label', `Show as table: ${title}`);
  const element = h(
    'figure',
    { class: 'panel' },
    h('figcaption', { class: 'panel-head' }, h('div', {}, h('h3', {}, title), h('p', {}, meaning)), button),
    legend,
    canvas,
    rows,
  );
  /** @type {{ steps: number[], lines: import('./figures-table.js').Line[], weight: number }} */
  let shown = { steps: [], lines: [], weight: 0 };
  /** @type {(number | null)[][]} */
  let smoothed = [];
  /** @type {number | null} */
  let pointed = null;
  const drawn = plot(canvas, {
    isShare,
    onZoom,
    onPoint: (at) => {
      pointed = at;
      renewLegend();
    },
  });
  const renewLegend = () => {
    const values = smoothed.map((each) => formatFigure(pointed === null ? latest(each) : each[pointed]));
    const step = pointed === null ? null : (shown.steps[pointed] ?? null);
    show(legend, [shown.lines.map(({ label, color, dash }) => [label, color, dash]), values, step], () => [
      ...shown.lines.map((line, at) => legendEntry(line, values[at] ?? '–')),
      step === null ? null : h('li', { class: 'note' }, `at step ${step}`),
    ]);
  };
  const renew = () => {
    const { steps, lines, weight } = shown;
    smoothed = lines.map(({ values }) => (weight === 0 ? values : smooth(values, weight)));
    renewLegend();
    if (canvas.hidden) show(rows, [steps, lines], () => [toTable(title, steps, lines)]);
    else drawn.show(steps, lines, weight === 0 ? null : smoothed);
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
     * @param {{ steps: number[], lines: import('./figures-table.js').Line[] }} curves
     * @param {number} weight Of the moving average; 0 for none.
     */
    show(curves, weight) {
      shown = { ...curves, weight };
      renew();
    },
    close: () => drawn.close(),
  };
}

/**
 * @param {import('./figures-table.js').Line} line
 * @param {string} value
 */
function legendEntry({ label, color, dash }, value) {
  return h(
    'li',
    { class: `series-${color % 8}` },
    h('span', { class: `swatch dash-${Math.min(dash, 3)}` }),
    h('span', { class: 'legend-name' }, label),
    ' ',
    h('strong', {}, value),
  );
}

/**
 * The latest points, the last first.
 * @param {string} title
 * @param {number[]} steps
 * @param {import('./figures-table.js').Line[]} lines
 */
function toTable(title, steps, lines) {
  const points = steps.map((step, at) => [
    String(step),
    ...lines.map(({ values }) => formatFigure(values[at])),
  ]);
  return table(title, ['Step', ...lines.map(({ label }) => label)], points.slice(-ROWS).reverse());
}
