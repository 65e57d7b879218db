import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import { extract } from '../answers/extract.ts';
import { EXTRACTION_MODES, type ExtractionMode, FALLBACKS, type Fallback } from '../answers/modes.ts';
import { REASONING_POLICIES, type ReasoningPolicy } from '../answers/reasoning-policy.ts';
import { gradeTruth, readTruth } from '../answers/truth.ts';
import { parseGradeRow } from './grade-row.ts';
import { type Graded, GradeTally } from './grade-tally.ts';

interface GradeOptions {
  readonly mode: ExtractionMode;
  readonly reasoning: ReasoningPolicy;
  readonly fallback: Fallback;
  readonly minAccuracy: string;
  readonly misses: string;
}

const EXIT_BELOW = 1;
const EXIT_INPUT = 2;

/** Adds `peervote grade FILE.jsonl`: how often the grader says what a file expects. */
export function declareGrade(program: Command): void {
  program
    .command('grade')
    .description(
      'Grade the predictions of a JSONL file against its truths, and compare with what it expects.',
    )
    .argument(
      '<file>',
      'rows with prediction (or completion), truth (or gold, ground_truth), and expected, true if left out',
    )
    .addOption(
      new Option('--mode <mode>', 'how the answer is taken from a prediction without a mode of its own')
        .choices(EXTRACTION_MODES)
        .default('raw'),
    )
    .addOption(
      new Option('--reasoning <who>', 'who opens the reasoning before an answer')
        .choices(REASONING_POLICIES)
        .default('in-completion'),
    )
    .addOption(
      new Option('--fallback <what>', 'what mode auto takes from a text without an announced answer')
        .choices(FALLBACKS)
        .default('none'),
    )
    .option(
      '--min-accuracy <share>',
      'exit with 1 when fewer rows than this share are graded as expected',
      '0',
    )
    .option('--misses <count>', 'how many misses are listed', '50')
    .action(async (file: string, options: GradeOptions) => {
      process.exitCode = await gradeFile(file, options);
    });
}

async function gradeFile(file: string, options: GradeOptions): Promise<number> {
  const wanted = Number(options.minAccuracy);
  const shown = Number(options.misses);
  if (!(wanted >= 0 && wanted <= 1) || !Number.isInteger(shown) || shown < 0) {
    process.stderr.write('--min-accuracy is a share from 0 to 1, --misses a whole number.\n');
    return EXIT_INPUT;
  }
  const tally = new GradeTally(shown);
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      line++;
      if (text.trim() === '') continue;
      const row = parseGradeRow(text);
      if (row.kind === 'invalid') {
        process.stderr.write(`${file}:${line}: ${row.reason}\n`);
        return EXIT_INPUT;
      }
      const mode = row.mode ?? options.mode;
      const { reasoning, fallback } = options;
      const answer = extract(row.prediction, { mode, reasoning, fallback });
      const graded: Graded = {
        ...row,
        line,
        answer,
        ...gradeTruth(answer, readTruth(row.truth, mode), mode),
      };
      tally.add(graded);
    }
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_INPUT;
  }
  process.stdout.write(tally.format());
  return tally.accuracy < wanted ? EXIT_BELOW : 0;
}
