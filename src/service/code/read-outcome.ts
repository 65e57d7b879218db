import type { Call, Outcome } from './code-runner.ts';

/** What the sandbox made of the inputs that a group came with. */
export type Plan =
  | { readonly kind: 'plan'; readonly entry: string; readonly calls: readonly Call[] }
  | { readonly kind: 'fault'; readonly fault: string };

/** What a run of the tests says: passed or not, or why that cannot be said. */
export type Verdict =
  | { readonly kind: 'verdict'; readonly passed: boolean }
  | { readonly kind: 'fault'; readonly fault: string };

/** The plan in the outcome of a job `plan`. */
export function readPlan(outcome: Outcome): Plan {
  const { entry, calls, fault } = parse(outcome.text);
  if (typeof fault === 'string') return { kind: 'fault', fault };
  if (typeof entry !== 'string' || !Array.isArray(calls)) {
    return {
      kind: 'fault',
      fault: 'No function to call was found: send entry_point, with inputs or test_code.',
    };
  }
  if (calls.length === 0) {
    return {
      kind: 'fault',
      fault: `No call of ${entry} with literal arguments was found: send inputs, or asserts in test_code.`,
    };
  }
  return { kind: 'plan', entry, calls: calls as readonly Call[] };
}

/** The verdict in the outcome of a job `test`. A program that took the sandbox along did not pass. */
export function readVerdict({ ending, text }: Outcome): Verdict {
  const { passed, fault } = parse(text);
  if (ending === 'returned' && typeof fault === 'string') return { kind: 'fault', fault };
  return { kind: 'verdict', passed: ending === 'returned' && passed === true };
}

/** The outputs in the outcome of a job `run`, one per call; `<…>` for a call that failed or was not reached. */
export function readLines({ ending, lines }: Outcome, calls: number): readonly string[] {
  const outputs = lines.slice(0, calls).map((line) => {
    const output = tryParse(line);
    return typeof output === 'string' && output !== '' ? output : '<ERR:ProgramEnded>';
  });
  return [...outputs, ...Array.from({ length: calls - outputs.length }, () => REST[ending])];
}

/** What stands for the calls that gave nothing. */
const REST: Readonly<Record<Outcome['ending'], string>> = {
  timeout: '<TIMEOUT>',
  returned: '<ERR:OutputLimit>',
  overflow: '<ERR:OutputLimit>',
  silent: '<ERR:ProgramEnded>',
  ended: '<ERR:ProgramEnded>',
  crashed: '<ERR:ProgramEnded>',
};

function parse(text: string): Record<string, unknown> {
  const value = tryParse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
