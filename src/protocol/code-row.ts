import type { StdinCase } from '../service/submission.ts';
import { isRecord, parseRecord, toPython } from './python-literal.ts';

/** Fields that say how programs are run, as {@link codeTaskShape} has them, and what a program reads and prints. */
export interface CodeFields {
  readonly entry_point?: unknown;
  readonly inputs?: unknown;
  readonly test_code?: unknown;
  readonly stdin?: readonly StdinCase[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a row of a data set says of its programs, in our words: HumanEval (`test`, `entry_point`), MBPP (`test_list`,
 * `test_setup_code`, `test_imports`), LiveCodeBench (`public_test_cases`, `private_test_cases`, `metadata`), APPS, TACO and the
 * rows that verl makes of them (`inputs` and `outputs`, with `fn_name` where a function is asked for, also as JSON in
 * `input_output`, `ground_truth` or `answer`). Fields of our own go before. Null: it is none of them.
 */
export function readCodeRow(fields: Fields): CodeFields | null {
  if (isText(fields.test_code) || (fields.inputs != null && fields.outputs == null)) return null;
  return humanEval(fields) ?? mbpp(fields) ?? liveCodeBench(fields) ?? apps(fields);
}

function humanEval({ test, entry_point }: Fields): CodeFields | null {
  if (!isText(test) || !/^def check\(/m.test(test)) return null;
  return { test_code: test, ...(isText(entry_point) && { entry_point }) };
}

function mbpp({ test_list, test_setup_code, test_imports, entry_point }: Fields): CodeFields | null {
  const asserts = textsOf(test_list);
  if (asserts === null || asserts.length === 0) return null;
  const setup = [...(textsOf(test_imports) ?? []), ...(isText(test_setup_code) ? [test_setup_code] : [])];
  return { test_code: [...setup, ...asserts].join('\n'), ...(isText(entry_point) && { entry_point }) };
}

function liveCodeBench(fields: Fields): CodeFields | null {
  const cases = [fields.public_test_cases, fields.private_test_cases].flatMap(
    (part) => recordsOf(part) ?? [],
  );
  const known = cases.filter(({ input, output }) => typeof input === 'string' && typeof output === 'string');
  if (known.length === 0) return null;
  const metadata = parseRecord(fields.metadata);
  const name = metadata?.func_name;
  const pairs = known.map(({ input, output }) => ({ input: String(input), output: String(output) }));
  if (!isText(name)) return { stdin: pairs };
  const calls = pairs.flatMap(({ input, output }) => {
    const args = input
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseJson);
    const expected = parseJson(output);
    return args.includes(undefined) || expected === undefined ? [] : [{ args, expected }];
  });
  return calls.length === 0 ? null : calling(name, calls);
}

/** `inputs` and `outputs` of equal length: what programs read and print, or arguments and results of `fn_name`. */
function apps(fields: Fields): CodeFields | null {
  const row = [fields, ...[fields.input_output, fields.ground_truth, fields.answer].map(parseRecord)].find(
    (each) => Array.isArray(each?.inputs) && Array.isArray(each.outputs),
  );
  if (row == null) return null;
  const [inputs, outputs] = [row.inputs as unknown[], row.outputs as unknown[]];
  if (inputs.length === 0 || inputs.length !== outputs.length) return null;
  const name = row.fn_name;
  if (isText(name)) {
    const calls = inputs.map((args, at) => {
      // APPS wraps a result in a list of one.
      const given = outputs[at];
      const expected = Array.isArray(given) && given.length === 1 ? given[0] : given;
      return { args: Array.isArray(args) ? args : [args], expected };
    });
    return calling(name, calls);
  }
  const textOf = (value: unknown) => (Array.isArray(value) ? value.join('\n') : String(value));
  return { stdin: inputs.map((input, at) => ({ input: textOf(input), output: textOf(outputs[at]) })) };
}

interface KnownCall {
  readonly args: readonly unknown[];
  readonly expected: unknown;
}

/** Calls with their results, as inputs to vote on and as a test. */
function calling(name: string, calls: readonly KnownCall[]): CodeFields {
  const asserts = calls.map(
    ({ args, expected }) => `    assert candidate(${args.map(toPython).join(', ')}) == ${toPython(expected)}`,
  );
  return {
    entry_point: name,
    inputs: calls.map(({ args }) => args),
    test_code: `def check(candidate):\n${asserts.join('\n')}\n`,
  };
}

function recordsOf(value: unknown): readonly Fields[] | null {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list.filter(isRecord) : null;
}

function textsOf(value: unknown): readonly string[] | null {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
