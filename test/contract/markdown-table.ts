/** The cells of the table whose first column is called `head`, row by row, without the head itself. */
export function readTable(markdown: string, head: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => readRow(line)[0] === head);
  if (start < 0) throw new Error(`there is no table whose first column is "${head}"`);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end < 0 ? lines.length : end).map(readRow);
}

function readRow(line: string): string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
