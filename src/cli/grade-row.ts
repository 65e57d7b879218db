import { EXTRACTION_MODES, type ExtractionMode } from '../answers/modes.ts';

export type GradeRow =
  | {
      readonly kind: 'row';
      readonly prediction: string;
      readonly truth: string;
      /** What the grader should say. */
      readonly expected: boolean;
      readonly mode: ExtractionMode | null;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads one line of a grading file. Names that other graders' files use are known too. */
export function parseGradeRow(line: string): GradeRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return invalid('this line is not JSON');
  }
  if (typeof row !== 'object' || row === null) return invalid('expected an object');
  const fields = new Map<string, unknown>(Object.entries(row));
  const prediction = firstText(fields, ['prediction', 'completion', 'pred', 'answer']);
  const truth = firstText(fields, ['truth', 'gold', 'ground_truth', 'target']);
  if (prediction === null) return invalid('expected a text or number "prediction"');
  if (truth === null) return invalid('expected a text or number "truth"');
  const expected = fields.get('expected') ?? true;
  if (typeof expected !== 'boolean') return invalid('"expected" is true or false');
  const mode = fields.get('mode') ?? null;
  if (mode !== null && !isMode(mode)) return invalid(`"mode" is one of ${EXTRACTION_MODES.join(', ')}`);
  return { kind: 'row', prediction, truth, expected, mode };
}

function isMode(value: unknown): value is ExtractionMode {
  return EXTRACTION_MODES.some((mode) => mode === value);
}

function firstText(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return null;
}

function invalid(reason: string): GradeRow {
  return { kind: 'invalid', reason };
}
