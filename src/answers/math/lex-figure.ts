import { type LexState, pushToken, skipTo } from './lex-state.ts';
import { endsOperand } from './token.ts';

const FIGURES = new Set(['angle', 'measuredangle', 'triangle', 'square']);

/** Whether a command is a sign of geometry that stands before the name of a figure. */
export function isFigure(command: string): boolean {
  return FIGURES.has(command);
}

/** `\angle ABC` is as good as its letters; between two operands such a sign is an operator that nobody knows. */
export function readFigure(state: LexState, name: string, end: number): number {
  const rest = state.text.slice(end, end + 4).trimStart();
  const last = state.tokens.at(-1);
  const joins =
    name !== 'angle' &&
    name !== 'measuredangle' &&
    last !== undefined &&
    last.type !== 'number' &&
    endsOperand(last);
  if (rest === '' ? name === 'square' : /^[A-Za-z{\\]/.test(rest) && !joins) return skipTo(state, end);
  return pushToken(state, 'operator', name, end);
}
