import { PARTS, type Signals } from '../../domain/signals.ts';
import { type CheckedList, UnreadableValueError } from './checked-list.ts';
import { SIGNALS } from './pack-prompt.ts';

/** Reads what `packPrompt` wrote of a rollout's signals. Throws UnreadableValueError. */
export function readSignals(list: CheckedList, texts: readonly string[]): Signals {
  const signals: { -readonly [Name in keyof Signals]: Signals[Name] } = {};
  for (let at = 0; at < list.length; at += 2) {
    const name = SIGNALS[list.number(at)];
    switch (name) {
      case undefined:
        throw new UnreadableValueError(`there is no signal ${list.number(at)}`);
      case 'fault':
      case 'interaction':
        signals[name] = list.refer(at + 1, texts);
        break;
      case 'part':
        signals.part = oneOf(PARTS, list.refer(at + 1, texts));
        break;
      case 'tau':
        signals.tau = oneOf([1, 2, 3] as const, list.number(at + 1));
        break;
      default:
        signals[name] = list.number(at + 1);
    }
  }
  return signals;
}

function oneOf<T>(known: readonly T[], value: unknown): T {
  const found = known.find((one) => one === value);
  if (found === undefined)
    throw new UnreadableValueError(`unknown value ${JSON.stringify(value)} of a signal`);
  return found;
}
