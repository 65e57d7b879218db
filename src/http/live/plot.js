import { formatFigure } from './format.js';
// @ts-expect-error: the server puts it beside this file, out of its package.
import uPlot from './uplot.js';

const HEIGHT = 170;
const SYNC = 'steps';

/**
 * Lines over steps in a box that follows the width of its place and the colours of the page. Dragging along the axis zooms.
 * @param {HTMLElement} place
 * @param {{ isShare: boolean, onZoom: (from: number, to: number) => void }} options
 */
export function plot(place, { isShare, onZoom }) {
  /** @type {any} */
  let drawn = null;
  let outline = '';
  /** @type {{ steps: number[], lines: import('./charts.js').Line[] }} */
  let latest = { steps: [], lines: [] };
  const width = () => Math.max(200, place.clientWidth);

  const draw = () => {
    const { steps, lines } = latest;
    const data = [steps, ...lines.map(({ values }) => values)];
    const now = JSON.stringify([lines.map(({ label }) => label), colors.matches, steps.length === 1]);
    if (drawn !== null && now === outline) return drawn.setData(data);
    outline = now;
    drawn?.destroy();
    drawn = new uPlot(
      optionsOf(lines, { isShare, onZoom, width: width(), isPoint: steps.length === 1 }),
      data,
      place,
    );
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
     * @param {import('./charts.js').Line[]} lines
     */
    show(steps, lines) {
      latest = { steps, lines };
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
 * @param {import('./charts.js').Line[]} lines
 * @param {{ isShare: boolean, isPoint: boolean, width: number, onZoom: (from: number, to: number) => void }} options
 */
function optionsOf(lines, { isShare, isPoint, width, onZoom }) {
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: false }, y: isShare ? { range: rangeOfShare } : {} },
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
    legend: { live: true },
    series: [
      {
        label: 'Step',
        value: (/** @type {any} */ _, /** @type {number | null} */ value) => formatFigure(value),
      },
      ...lines.map(({ label, color: at, dashed }) => ({
        label,
        stroke: color(`--series-${at % 8}`),
        width: 1.5,
        spanGaps: true,
        ...(dashed && { dash: [5, 3] }),
        points: { show: isPoint, size: 6 },
        value: (/** @type {any} */ _, /** @type {number | null} */ value) => formatFigure(value),
      })),
    ],
  };
}

/**
 * Shares lie between 0 and 1, and where they hardly move they are shown closer.
 * @param {any} _
 * @param {number | null} low
 * @param {number | null} high
 */
function rangeOfShare(_, low, high) {
  if (low === null || high === null) return [0, 1];
  const room = Math.max(0.05, (high - low) * 0.1);
  return [Math.max(0, low - room), Math.min(1, high + room)];
}
