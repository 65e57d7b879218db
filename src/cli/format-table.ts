/** Rows for people; null is what is not known. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** The table as text in aligned columns, its title above. */
export function formatTable({ title, columns, rows }: Table): string {
  const cells = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function formatCell(value: string | number | null): string {
  if (value === null) return '-';
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : value;
}
