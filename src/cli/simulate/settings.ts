import { z } from 'zod';
import { type Course, TEACHING } from '../../theory/dynamics.ts';
import { numberList, type Parsed, parseOptions, seedOption } from '../options.ts';

const MAX_AGENTS = 16;
/** The counts of open answers take about wrong · K⁴ steps once; this keeps them within seconds. */
const MAX_K = 64;

const numbers = (what: z.ZodType<number, number>) => numberList(what, MAX_AGENTS);

const settingsSchema = z.strictObject({
  start: numbers(z.number().min(0).max(1)).optional(),
  k: numbers(z.int().min(1).max(MAX_K)).default([8]),
  eta: numbers(z.number().positive().max(100)).default([1]),
  teaching: z.enum(TEACHING).default('predecessor'),
  wrong: z.coerce.number().int().min(1).max(32).default(1),
  until: z.coerce.number().positive().max(10_000).default(50),
  runs: z.coerce.number().int().min(0).max(100_000).default(0),
  problems: z.coerce.number().int().min(1).max(1_000_000).optional(),
  seed: seedOption,
});

export type Settings = z.output<typeof settingsSchema>;

/** The options of `peervote simulate`, or every problem with them as a sentence. */
export function parseSettings(raw: Readonly<Record<string, unknown>>): Parsed<Settings> {
  return parseOptions(settingsSchema, raw);
}

/** A course of `agents` agents; a single K or η stands for all. Null: there are not as many of them as agents. */
export function courseOf(settings: Settings, agents: number, overrides: Partial<Course> = {}): Course | null {
  const { k, eta, teaching, wrong } = settings;
  const fits = (values: readonly number[]) => values.length === 1 || values.length === agents;
  if (!fits(k) || !fits(eta)) return null;
  const learners = Array.from({ length: agents }, (_, n) => ({
    k: k[n] ?? k[0] ?? 8,
    eta: eta[n] ?? eta[0] ?? 1,
  }));
  return { learners, teaching, wrong, ...overrides };
}
