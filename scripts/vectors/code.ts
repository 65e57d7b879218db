import { readOutputs } from '../../src/answers/code/outputs.ts';
import { countVotes } from '../../src/domain/vote.ts';
import { WorkerPool } from '../../src/external/sandbox/worker-pool.ts';
import { readLines, readPlan, readVerdict } from '../../src/service/code/read-outcome.ts';

interface CodeVector<Input, Expected = unknown> {
  readonly id: string;
  readonly input: Input;
  readonly expected: Expected;
}

/** What our code makes of the input; what it is held against, where not all of the vector; what we do otherwise. */
interface CodeOutcome {
  readonly got: unknown;
  readonly expected?: unknown;
  readonly deviation?: string;
}

const pool = new WorkerPool({
  workers: 1,
  timeoutMs: 4_000,
  limits: { memoryBytes: 256 * 1_048_576, outputBytes: 65_536 },
});

const RULES = {
  threshold: 0,
  denominator: 'parseable',
  minVotes: 1,
  tie: 'first',
  allowEmptyVote: false,
} as const;

async function planOf(tests: string | null, entry: string | null, inputs: readonly unknown[] | null = null) {
  const plan = readPlan(await pool.run({ op: 'plan', tests, entry, inputs }));
  if (plan.kind === 'fault') throw new Error(plan.fault);
  return plan;
}

/** As the reference, which keeps 3 and 3.0 apart: `code.integral_floats: distinct`. */
async function outputsOf(code: string, { entry, calls }: Awaited<ReturnType<typeof planOf>>) {
  const outcome = await pool.run({ op: 'run', code, entry, unify: false, calls });
  return readLines(outcome, calls.length);
}

async function passes(code: string, tests: string, entry: string | null): Promise<boolean> {
  const verdict = readVerdict(await pool.run({ op: 'test', code, entry, tests }));
  return verdict.kind === 'verdict' && verdict.passed;
}

/** Our key, spelt as the reference spells its own: the repr of a tuple of texts. */
function keyOf(outputs: readonly string[]): string | null {
  if (readOutputs(outputs).key === null) return null;
  return `(${outputs.map((output) => `'${output}'`).join(', ')}${outputs.length === 1 ? ',' : ''})`;
}

/** Arguments as plain JSON: the tagged dictionaries of the vectors have text keys only. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = (value as { d?: readonly (readonly [string, unknown])[] }).d ?? [];
  return Object.fromEntries(pairs.map(([key, inner]) => [key, plain(inner)]));
}

async function vote({
  input,
}: CodeVector<{ readonly test_code: string; readonly programs: readonly string[] }>) {
  const plan = await planOf(input.test_code, null);
  const outputs: (readonly string[])[] = [];
  const passed: boolean[] = [];
  for (const code of input.programs) {
    outputs.push(await outputsOf(code, plan));
    passed.push(await passes(code, input.test_code, null));
  }
  const keys = outputs.map(keyOf);
  const ballots = keys.map((key, index) => ({ index, key, answer: key }));
  const { label, clusters, votes } = countVotes(ballots, RULES, { promptId: 'code', round: 0 });
  return {
    got: {
      entry_point: plan.entry,
      inputs: plan.calls.map(({ args }) => args.map(plain)),
      outputs,
      vote_keys: keys,
      label: label?.key ?? null,
      top_count: clusters[0]?.votes ?? 0,
      n_valid: votes,
      rewards: keys.map((key) => Number(key !== null && key === label?.key)),
      gt_rewards: passed.map(Number),
    },
  };
}

async function extractCalls({
  input,
  expected,
}: CodeVector<{ readonly test_code: string }, { inputs: readonly (readonly unknown[])[] }>) {
  const plan = await planOf(input.test_code, null);
  return {
    got: { entry_point: plan.entry, inputs: plan.calls.map(({ args }) => args.map(plain)) },
    expected: { ...expected, inputs: expected.inputs.filter((args) => args.length > 0) },
    deviation:
      'Only calls of the entry point count; the reference takes g(x=3) as a call f() without arguments.',
  };
}

async function humanEval({
  input,
  expected,
}: CodeVector<
  { readonly test_code: string; readonly program: string; readonly entry_point: string },
  Record<string, unknown>
>) {
  const { test_code: tests, program, entry_point: entry } = input;
  return {
    got: {
      server_vote_key: keyOf(await outputsOf(program, await planOf(tests, entry))),
      server_passes_tests: await passes(program, tests, entry),
    },
    // The other two say what the reference does with such tests: it abstains and grades 0.
    expected: {
      server_vote_key: expected.server_vote_key,
      server_passes_tests: expected.server_passes_tests,
    },
  };
}

async function degenerate({
  input,
}: CodeVector<{
  readonly cases: readonly { readonly program: string; readonly inputs: readonly unknown[] }[];
}>) {
  const keys: (string | null)[] = [];
  for (const { program, inputs } of input.cases) {
    keys.push(keyOf(await outputsOf(program, await planOf(null, 's', inputs))));
  }
  return { got: { vote_keys: keys } };
}

/** Runners by id, for scripts/vectors.ts. They start the sandbox, which ends with the process. */
export const runners: Readonly<Record<string, (vector: CodeVector<never, never>) => Promise<CodeOutcome>>> = {
  'code-vote-1': vote,
  'code-extract-calls': extractCalls,
  'code-humaneval': humanEval,
  'code-degenerate': degenerate,
};
