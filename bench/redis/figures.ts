/** The value below which a share of the others lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints rows of a name and a figure. */
export function tellTable(rows: readonly (readonly string[])[]): void {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  for (const [name = '', figure = ''] of rows) {
    process.stdout.write(`${name.padEnd(width)}  ${figure.padStart(8)}\n`);
  }
}
