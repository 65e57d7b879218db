import type { MathSpan } from './math-spans.ts';

/** The last math span, with those before it that are joined to it by commas, `and` or `or`. */
export function trailingGroup(
  statement: string,
  spans: readonly MathSpan[],
): { text: string; from: number; to: number } | null {
  const last = spans.at(-1);
  if (last === undefined) return null;
  const parts = [statement.slice(last.start, last.end)];
  let from = last.from;
  for (let i = spans.length - 2; i >= 0; i -= 1) {
    const span = spans[i];
    if (span === undefined || !/^\s*(?:,|;|and|or|,\s*and|,\s*or)\s*$/.test(statement.slice(span.to, from)))
      break;
    parts.unshift(statement.slice(span.start, span.end));
    from = span.from;
  }
  const suffix = /^\s?(?:\\?%|percent|pct)/.exec(statement.slice(last.to, last.to + 10))?.[0] ?? '';
  return { text: parts.map((part) => part.trim()).join(', ') + suffix, from, to: last.to };
}
