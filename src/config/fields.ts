import { z } from 'zod';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Longest duration a setting takes: below 2^31 ms, beyond which a Node timer fires at once. */
export const LONGEST_MS = 24 * DAY;

/** Names of cohorts and agents: they are path segments, metric labels and parts of store keys. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const NAME_RULE =
  'expected a name of 1 to 64 letters, digits, ".", "_" or "-", that starts with a letter or a digit';

/** A cohort's or agent's name; case-sensitive. */
export const nameSchema = z.string({ error: NAME_RULE }).regex(NAME_PATTERN, { error: NAME_RULE });

/** A whole number within bounds, both included; every issue names both bounds. */
export function wholeNumber(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A share, 0 to 1, both included. */
export function share() {
  const error = 'expected a number from 0 to 1';
  return z.number({ error }).min(0, { error }).max(1, { error });
}

/** Any finite number within bounds, both included. */
export function boundedNumber(min: number, max: number) {
  const error = `expected a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

export function flag() {
  return z.boolean({ error: 'expected true or false' });
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}

/** An object that refuses keys it does not know, and then names those it does. */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `unknown key; the keys here are ${keys}` : 'expected an object',
  });
}

/** A field with a default of its own: absent means the default. */
export function withDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: z.util.NoUndefined<z.output<Schema>>,
  description: string,
) {
  return schema.default(value).meta({ description: `${description} ${defaultSentence(value)}` });
}

/** The same for a duration in ms, which is also written in words. */
export function duration(min: number, max: number, value: number, description: string) {
  return wholeNumber(min, max)
    .default(value)
    .meta({ description: `${description} ${defaultSentence(value, 'ms')}` });
}

/**
 * A field that may be given only together with another setting, so that its presence has to be seen:
 * parsing leaves it absent, and whoever reads it applies the default.
 */
export function conditional<Schema extends z.ZodType>(
  schema: Schema,
  value: z.output<Schema>,
  description: string,
  unit?: 'ms',
) {
  return schema
    .optional()
    .meta({ description: `${description} ${defaultSentence(value, unit)}`, default: value });
}

/** The last sentence of the description of a field that has a default. */
export function defaultSentence(value: unknown, unit?: 'ms'): string {
  return `Default: ${defaultText(value, unit)}.`;
}

/** A default as people read it: `840000 (14 min)` for a duration. */
export function defaultText(value: unknown, unit?: 'ms'): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return unit === 'ms' && typeof value === 'number' ? `${text} (${durationText(value)})` : text;
}

function durationText(ms: number): string {
  const units = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'min'],
    [SECOND, 's'],
  ] as const;
  const fitting = units.find(([size]) => ms >= size && ms % size === 0);
  return fitting === undefined ? `${ms} ms` : `${ms / fitting[0]} ${fitting[1]}`;
}
