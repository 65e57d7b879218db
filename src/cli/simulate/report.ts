import type { Table } from '../format-table.ts';

/** What a command found out, before it is drawn or printed. */
export interface Report {
  readonly title: string;
  /** What it was computed with, for whoever reads the JSON later. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly tables: readonly Table[];
  readonly chart: Chart | null;
  /** What it comes to, in sentences. */
  readonly conclusions: readonly string[];
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly ChartLine[];
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}
