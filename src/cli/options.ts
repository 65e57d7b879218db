import { z } from 'zod';

export type Parsed<T> =
  | { readonly ok: true; readonly settings: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Numbers separated by commas, as in `8,12`: 1 to `most` of them. What is empty is no number. */
export function numberList(what: z.ZodType<number, number>, most: number) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
    .pipe(z.array(what).min(1).max(most));
}

/** Of everything that is drawn. */
export const seedOption = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 31)
  .default(1);

/** Options by a schema, or every problem with them as a sentence. */
export function parseOptions<T>(schema: z.ZodType<T>, raw: Readonly<Record<string, unknown>>): Parsed<T> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, settings: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => {
    const [option = '', place] = path;
    const which = typeof place === 'number' ? ` (number ${place + 1} of it)` : '';
    const flag = String(option).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${flag}${which}: ${message}`;
  });
  return { ok: false, problems };
}
