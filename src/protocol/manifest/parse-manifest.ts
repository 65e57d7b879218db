import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import { readOr, UNREADABLE } from '../../domain/fallible-read.ts';
import type { Manifest, ManifestEntry } from '../../domain/manifest.ts';
import { boundedList, MOST_ISSUES } from '../bounded-list.ts';
import { groundTruthSchema, toGroundTruth } from '../ground-truth.ts';
import { MAX_PROMPT_ID } from '../prompt/label.ts';
import { readSplit, SPLIT_WORDS } from '../prompt/split.ts';
import { wireText } from '../text.ts';
import { normalizeText } from './normalize-text.ts';

const MAX_ENTRIES = 500_000;
const MAX_TEXT = 65_536;
const MAX_ALIASES = 64;

const promptId = z.union([wireText(MAX_PROMPT_ID).min(1), z.int()]).transform(String);
const text = wireText(MAX_TEXT).refine((value) => value.trim() !== '', { message: 'must not be blank' });
const texts = boundedList(text, { max: MAX_ALIASES });

/** One line of a manifest. Unknown fields are ignored, so that a data set can be sent as it is. */
const lineSchema = z.object({
  prompt_id: promptId,
  text,
  aliases: texts.nullish(),
  rephrasings: texts.nullish(),
  ground_truth: groundTruthSchema.optional(),
  split: z
    .string()
    .transform((word) => readSplit(word))
    .refine((split) => split !== null, { message: `must be one of ${SPLIT_WORDS.join(', ')}` })
    .nullish(),
});

interface Problem {
  readonly path: string;
  readonly message: string;
}

/**
 * Reads a manifest: JSON Lines, an object for each problem. Blank lines are skipped. Throws `invalid_request`, naming
 * the first 20 bad lines; a manifest is taken whole or not at all.
 */
export function parseManifest(body: string): Manifest {
  const entries: ManifestEntry[] = [];
  const problems: Problem[] = [];
  const seen = new Seen();
  for (const { line, number } of linesOf(body)) {
    if (problems.length >= MOST_ISSUES) break;
    if (entries.length >= MAX_ENTRIES) {
      problems.push({ path: `line ${number}`, message: `a manifest holds at most ${MAX_ENTRIES} prompts` });
      break;
    }
    const read = readLine(line);
    const found = read.ok ? seen.add(read.entry, number) : read.problems;
    if (read.ok && found.length === 0) entries.push(read.entry);
    for (const { path, message } of found) {
      problems.push({ path: path === '' ? `line ${number}` : `line ${number}: ${path}`, message });
    }
  }
  const [first] = problems;
  if (first === undefined) return { version: versionOf(entries), entries };
  throw new ServiceError(
    'invalid_request',
    `${first.path}: ${first.message}. Send JSON Lines, one object for each problem, with "prompt_id" and "text"; nothing of this manifest was stored.`,
    { details: { problems: problems.slice(0, MOST_ISSUES) } },
  );
}

function* linesOf(body: string): Generator<{ readonly line: string; readonly number: number }> {
  let number = 0;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    number++;
    const line = body.slice(start, end).trim();
    if (line !== '') yield { line, number };
    start = end + 1;
  }
}

function readLine(
  line: string,
): { ok: true; entry: ManifestEntry } | { ok: false; problems: readonly Problem[] } {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { ok: false, problems: [{ path: '', message: 'is not JSON (write each line with json.dumps)' }] };
  }
  const read = readOr(
    () => lineSchema.safeParse(json),
    () => null,
  );
  if (read === null) return { ok: false, problems: [{ path: '', message: UNREADABLE }] };
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return { ok: false, problems };
  }
  const { prompt_id, text: original, aliases, rephrasings, ground_truth, split } = read.data;
  const all = [original, ...(aliases ?? []), ...(rephrasings ?? [])];
  const { groundTruth, truthFault } = toGroundTruth(ground_truth);
  if (truthFault !== undefined)
    return { ok: false, problems: [{ path: 'ground_truth', message: truthFault }] };
  const entry = {
    promptId: prompt_id,
    texts: [...new Set(all)],
    groundTruth,
    split: split ?? null,
  };
  return { ok: true, entry };
}

/** What was read so far: an id or a text that comes again would make the manifest ambiguous. */
class Seen {
  readonly #lineOfId = new Map<string, number>();
  readonly #idOfText = new Map<string, string>();

  add({ promptId: id, texts: all }: ManifestEntry, number: number): readonly Problem[] {
    const earlier = this.#lineOfId.get(id);
    if (earlier !== undefined) {
      const message = `"${id}" came on line ${earlier} already; put further texts of a problem in "rephrasings"`;
      return [{ path: 'prompt_id', message }];
    }
    this.#lineOfId.set(id, number);
    for (const one of all.map(normalizeText)) {
      const other = this.#idOfText.get(one);
      if (other !== undefined && other !== id) {
        return [
          { path: 'text', message: `is that of prompt "${other}" too; one text must name one problem` },
        ];
      }
      this.#idOfText.set(one, id);
    }
    return [];
  }
}

function versionOf(entries: readonly ManifestEntry[]): string {
  const hash = createHash('sha256');
  for (const { promptId: id, texts: all, groundTruth, split } of entries) {
    hash.update(`${JSON.stringify([id, all, groundTruth, split])}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
