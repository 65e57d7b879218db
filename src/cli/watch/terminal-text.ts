import { stripVTControlCharacters } from 'node:util';

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Text of others, without what moves a terminal's cursor, changes its colours or turns its lines around. */
export function tame(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

/** Columns as wide as their widest cell, two spaces apart; numbers by their last digit. */
export function formatTable(rows: readonly (readonly string[])[], toTheRight: ReadonlySet<number>): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, at) => (toTheRight.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** The course of values between their lowest and highest, one character each; a space for none. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  return values
    .map((value) => {
      if (value === null) return ' ';
      const level = span === 0 ? 3 : Math.round(((value - low) / span) * (LEVELS.length - 1));
      return LEVELS[level] ?? ' ';
    })
    .join('');
}

/** A span of time in the largest units that matter. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** Words in lines of at most `width`; what is longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word.slice(0, width) : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
