import { formatFigure } from './format.js';
// @ts-expect-error: the server puts it beside this file, out of its package.
import uPlot from './uplot.js';

const HEIGHT = 170;
const SYNC = 'steps';

/** Of the cohorts that are compared, each has its own: solid, dashed, dotted, both. */
const DASHES = [[], [7, 4], [2, 3], [8, 3, 2, 3]];

/**
 * @typedef {import('./figures-table.js').Line} Line
 * @typedef {{ isShare: boolean, onZoom: (from: number, to: number) => void, onPoint: (at: number | null) => void }} Options
 */

/**
 * Lines over steps in a box that follows the width of its place and the colours of the page. Dragging along the axis zooms;
 * `onPoint` is told at which place of the steps the pointer is, here or in another chart.
 * @param {HTMLElement} place
 * @param {Options} options
 */
export function plot(place, options) {
  /** @type {any} */
  let drawn = null;
  let outline = '';
  /** @type {{ steps: number[], lines: Line[], smoothed: (number | null)[][] | null }} */
  let latest = { steps: [], lines: [], smoothed: null };
  const width = () => Math.max(200, place.clientWidth);

  const draw = () => {
    const { steps, lines, smoothed } = latest;
    const raw = lines.map(({ values }) => values);
    const data = [steps, ...raw, ...(smoothed ?? [])];
    const labels = lines.map(({ label, dash }) => [label, dash]);
    const now = JSON.stringify([labels, smoothed !== null, colors.matches, steps.length === 1]);
    if (drawn !== null && now === outline) return drawn.setData(data);
    outline = now;
    drawn?.destroy();
    const look = { width: width(), isPoint: steps.length === 1, isSmooth: smoothed !== null };
    drawn = new uPlot(optionsOf(lines, look, options), data, place);
  };
  const colors = matchMedia('(prefers-color-scheme: dark)');
  colors.addEventListener('change', draw);
  const resized = new ResizeObserver(() => {
    if (place.clientWidth > 0) drawn?.setSize({ width: width(), height: HEIGHT });
  });
  resized.observe(place);
  return {
    /**
     * @param {number[]} steps
     * @param {Line[]} lines
     * @param {(number | null)[][] | null} smoothed Drawn over the lines, which are faint then.
     */
    show(steps, lines, smoothed) {
      latest = { steps, lines, smoothed };
      draw();
    },
    close() {
      colors.removeEventListener('change', draw);
      resized.disconnect();
      drawn?.destroy();
    },
  };
}

/**
 * @param {Line[]} lines
 * @param {{ isPoint: boolean, isSmooth: boolean, width: number }} look
 * @param {Options} options
 */
function optionsOf(lines, { isPoint, isSmooth, width }, { isShare, onZoom, onPoint }) {
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  const seriesOf = (/** @type {Line} */ { label, color: at, dash }, /** @type {object} */ look) => ({
    label,
    stroke: color(`--series-${at % 8}`),
    width: 1.5,
    spanGaps: true,
    dash: DASHES[Math.min(dash, DASHES.length - 1)],
    points: { show: isPoint, size: 6 },
    ...look,
  });
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: false }, y: { range: isShare ? rangeOfShare : rangeFromZero } },
    axes: [
      {
        ...axis,
        size: 28,
        values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map(formatFigure),
      },
      {
        ...axis,
        size: 44,
        values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map(formatFigure),
      },
    ],
    cursor: { sync: { key: SYNC }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    hooks: {
      setCursor: [(/** @type {any} */ self) => onPoint(self.cursor.idx ?? null)],
      setSelect: [
        (/** @type {any} */ self) => {
          const { left, width: wide } = self.select;
          if (wide < 4) return;
          onZoom(
            Math.max(0, Math.floor(self.posToVal(left, 'x'))),
            Math.max(0, Math.ceil(self.posToVal(left + wide, 'x'))),
          );
          self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        },
      ],
    },
    // The page has its own, which is there without a pointer.
    legend: { show: false },
    series: [
      {},
      ...lines.map((line) => seriesOf(line, isSmooth ? { alpha: 0.22, width: 1 } : {})),
      ...(isSmooth ? lines.map((line) => seriesOf(line, { width: 2 })) : []),
    ],
  };
}

/**
 * Shares are drawn from 0 to 1, so that two charts, and one now and later, can be told apart at a glance.
 * @param {any} _
 * @param {number | null} low
 * @param {number | null} high
 */
function rangeOfShare(_, low, high) {
  return [Math.min(0, low ?? 0), Math.max(1, high ?? 1)];
}

/**
 * Sizes start at 0 too: what hardly moves looks so.
 * @param {any} _
 * @param {number | null} low
 * @param {number | null} high
 */
function rangeFromZero(_, low, high) {
  return [Math.min(0, low ?? 0), high !== null && high > 0 ? high * 1.05 : 1];
}
