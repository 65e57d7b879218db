import { parseNumberLiteral } from '../math/number-literal.ts';
import { scalarKey } from '../numeric/scalar-key.ts';
import type { Form } from './form.ts';
import { shortKey } from './text-form.ts';

const ROW = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:\s+[-+]?(?:\d+(?:\.\d*)?|\.\d+))*\s*$/;
const MAX_CELLS = 1000;

/** Lines of numbers, as programs print them: equal line by line, number by number. Null for anything else. */
export function tableForm(text: string): Form | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || !lines.every((line) => ROW.test(line))) return null;
  const cells = lines.map((line) => line.trim().split(/\s+/));
  if (cells.flat().length < 2 || cells.flat().length > MAX_CELLS) return null;
  const rows: Form[][] = [];
  for (const row of cells) {
    const forms = row.map(numberForm).filter((form) => form !== null);
    if (forms.length !== row.length) return null;
    rows.push(forms);
  }
  const key = rows.map((row) => row.map((cell) => cell.key).join(' ')).join('|');
  return { kind: 'matrix', key: shortKey('table:', key), rows };
}

function numberForm(text: string): Form | null {
  const literal = parseNumberLiteral(text.replace(/^[-+]/, ''));
  if (literal === null) return null;
  const value = text.startsWith('-') ? { num: -literal.value.num, den: literal.value.den } : literal.value;
  const scalar = { kind: 'exact', value } as const;
  return { kind: 'scalar', key: scalarKey(scalar), scalar, decimals: literal.decimals, percent: false };
}
