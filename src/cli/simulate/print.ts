import plot from 'simple-ascii-chart';
import { formatTable } from '../format-table.ts';
import type { Chart, Report } from './report.ts';

const WIDTH = 72;
const HEIGHT = 16;
/** More lines than this are a tangle in a terminal; the picture has them all. */
const LINES = 6;

/** The report for a terminal: its chart, its tables, what it comes to. */
export function formatReport(report: Report, colors: boolean): string {
  const parts = [
    report.title,
    ...(report.chart === null ? [] : [drawChart(report.chart, colors)]),
    ...report.tables.map(formatTable),
    report.conclusions.join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function drawChart({ title, xLabel, yLabel, lines }: Chart, colors: boolean): string {
  const shown = lines.slice(0, LINES);
  const points = shown.flatMap((line) => line.points);
  const drawn = plot(
    shown.map((line) => line.points.map(([x, y]) => [x, y])),
    {
      width: WIDTH,
      height: HEIGHT,
      title: `${title}: ${yLabel}`,
      xLabel,
      customXAxisTicks: ticks(points.map(([x]) => x)),
      customYAxisTicks: ticks(points.map(([, y]) => y)),
      ...(colors && { color: COLORS.slice(0, shown.length) }),
      legend: { position: 'bottom', series: shown.map(({ name }) => name) },
      formatter: (value: number) => Number(value.toFixed(3)),
    },
  );
  return drawn.replace(/^\n+/, '').trimEnd();
}

/** Five marks over the range. */
function ticks(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return [0, 1, 2, 3, 4].map((at) => low + ((high - low) * at) / 4);
}

const COLORS = ['ansiBlue', 'ansiRed', 'ansiGreen', 'ansiMagenta', 'ansiCyan', 'ansiYellow'] as const;
