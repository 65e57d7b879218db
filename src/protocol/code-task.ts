import { z } from 'zod';
import { readOr, UNREADABLE } from '../domain/fallible-read.ts';
import type { CodeTask } from '../service/submission.ts';
import { boundedList } from './bounded-list.ts';
import { readCodeRow } from './code-row.ts';
import { wireText } from './text.ts';

const MAX_CODE_LENGTH = 262_144;
const MAX_CALLS = 1_000;
/** Of one call: no more have room in so many characters. */
const MAX_VALUES = MAX_CODE_LENGTH / 2;
const MAX_DEPTH = 100;

const inputSchema = z.union(
  [
    wireText(65_536),
    boundedList(z.unknown(), { max: MAX_VALUES }),
    z.strictObject({
      args: boundedList(z.unknown(), { max: MAX_VALUES }).optional(),
      kwargs: z.record(z.string(), z.unknown()).optional(),
    }),
  ],
  { error: 'expected an array of arguments, {"args", "kwargs"}, or an argument list as Python text' },
);

/** The fields of a group that say how its programs are run. */
export const codeTaskShape = {
  entry_point: wireText(200)
    .regex(/^(?:Solution\(\)\.)?[\p{L}_][\p{L}\p{N}_]*$/u, 'must be the name of a function')
    .nullish()
    .meta({
      description:
        'In mode code: the function that the problem asks for, or the method of class Solution, also as "Solution().name". Left out, the one that the tests call most.',
    }),
  inputs: boundedList(inputSchema, { min: 1, max: MAX_CALLS })
    .refine((inputs) => isShallow(inputs, MAX_DEPTH), `is nested deeper than ${MAX_DEPTH} levels`)
    .refine(isShort, {
      error: `is longer than ${MAX_CODE_LENGTH} characters as JSON`,
      when: ({ issues }) => issues.length === 0,
    })
    .nullish()
    .meta({
      description:
        'In mode code: the calls whose outputs vote, each as an array of arguments, as {"args", "kwargs"}, or as Python text such as "(1, 2), k=3". Left out, the literal calls in the asserts of test_code.',
    }),
  test_code: wireText(MAX_CODE_LENGTH).nullish().meta({
    description:
      'In mode code: Python with asserts, test functions or check(candidate). Methods that grade run it; where outputs vote, only the calls in its asserts are read from it.',
  }),
  stdin: boundedList(
    z.strictObject({
      input: wireText(MAX_CODE_LENGTH),
      output: wireText(MAX_CODE_LENGTH).nullable().default(null),
    }),
    { min: 1, max: MAX_CALLS },
  )
    .refine(isShort, {
      error: `is longer than ${MAX_CODE_LENGTH} characters as JSON`,
      when: ({ issues }) => issues.length === 0,
    })
    .nullish()
    .meta({
      description:
        'In mode code: runs of a program that reads stdin and prints, each {"input", "output"}. What it prints votes; methods that grade hold it against the outputs.',
    }),
};

const codeTaskSchema = z.object(codeTaskShape);

/** How the programs of a group are run, to be spread into it; nothing where nothing was said. */
export function codeOf(fields: z.output<typeof codeTaskSchema>): { readonly code?: CodeTask } {
  const { stdin } = fields;
  if (stdin != null) return { code: { entryPoint: null, inputs: null, testCode: null, stdin } };
  const code = {
    // Data sets of LeetCode problems write it so; the sandbox looks for the method wherever there is no such function.
    entryPoint: fields.entry_point?.replace('Solution().', '') ?? null,
    inputs: fields.inputs ?? null,
    testCode: fields.test_code?.trim() ? fields.test_code : null,
  };
  return code.inputs === null && code.testCode === null ? {} : { code };
}

/** The same from fields that nothing has checked, such as those of a label; `problems` gets what is wrong, as sentences. */
export function readCodeTask(
  fields: Readonly<Record<string, unknown>>,
  problems: string[],
): { readonly code?: CodeTask } {
  const parsed = readOr(
    () => codeTaskSchema.safeParse(readCodeRow(fields) ?? fields),
    () => null,
  );
  if (parsed === null) {
    problems.push(`The label ${UNREADABLE}.`);
    return {};
  }
  if (parsed.success) return codeOf(parsed.data);
  for (const { path, message } of parsed.error.issues) {
    problems.push(`The ${path.join('.')} in the label is not right: ${message}.`);
  }
  return {};
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

function isShort(inputs: unknown): boolean {
  return JSON.stringify(inputs).length <= MAX_CODE_LENGTH;
}
