import { writeFile } from 'node:fs/promises';
import { drawSvg, MissingPackageError, toPng } from './draw.ts';
import { PRESETS } from './presets.ts';
import { formatReport } from './print.ts';
import type { Report } from './report.ts';
import { SeparatrixError, simulateRun } from './run.ts';
import { parseSettings } from './settings.ts';

const EXIT_INPUT = 2;

/** How the result is shown. */
export interface Output {
  readonly json?: boolean | undefined;
  readonly svg?: string | undefined;
  readonly png?: string | undefined;
  readonly colors: boolean;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Runs a preset, or a course from `raw.start`. Returns the exit status: 0, or 2 for what the user must change. */
export async function simulate(
  preset: string | undefined,
  raw: Readonly<Record<string, unknown>>,
  output: Output,
): Promise<number> {
  const refuse = (message: string) => {
    output.complain(`${message}\n`);
    return EXIT_INPUT;
  };
  const parsed = parseSettings(raw);
  if (!parsed.ok) return refuse(parsed.problems.join('\n'));
  const { settings } = parsed;
  const run = preset === undefined ? undefined : PRESETS[preset]?.run;
  if (run === undefined && settings.start === undefined) {
    return refuse('Name a preset, or say where the agents start, as in --start 0.9,0.2.');
  }
  try {
    await write(run?.(settings) ?? simulateRun(settings, settings.start ?? []), output);
    return 0;
  } catch (error) {
    const known = [SeparatrixError, RangeError, MissingPackageError].some((kind) => error instanceof kind);
    if (known && error instanceof Error) return refuse(error.message);
    throw error;
  }
}

async function write(report: Report, { json, svg, png, colors, print }: Output): Promise<void> {
  if (svg !== undefined || png !== undefined) {
    if (report.chart === null)
      throw new RangeError('This preset has no chart to draw: leave out --svg and --png.');
    const drawing = await drawSvg(report.chart);
    if (svg !== undefined) await writeFile(svg, drawing);
    if (png !== undefined) await writeFile(png, await toPng(drawing));
  }
  print(json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report, colors));
}
