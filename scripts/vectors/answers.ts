import { canonicalKey } from '../../src/answers/canonical-key.ts';
import { extract } from '../../src/answers/extract.ts';
import { grade } from '../../src/answers/grade.ts';
import type { ExtractionMode } from '../../src/answers/modes.ts';
import type { Keys, Runners, Vector } from './vector.ts';

const keyOf = (text: string, mode: ExtractionMode) => {
  const answer = extract(text, { mode });
  return answer === null ? null : canonicalKey(answer, mode);
};

type Pairs = Vector<{ readonly pairs: readonly (readonly [string, string])[] }>;

const gradePairs =
  (mode: ExtractionMode) =>
  ({ input }: Pairs) => ({
    got: {
      // The reference's mark of an unlabeled prompt is no label here, and equals nothing.
      equal: input.pairs.map(
        ([answer, label]) => label !== '<UNLABELED>' && grade(answer, label, mode).equal,
      ),
    },
  });

/** Extraction and grading as the Co-RL reference does them: modes `qwen` and `vlm`. */
export const runners: Runners = {
  'extract-math': ({ input }: Vector<{ readonly texts: readonly string[] }>) => ({
    got: { vote_keys: input.texts.map((text) => keyOf(text, 'qwen')) },
  }),
  'grade-math': gradePairs('qwen'),
  'vlm-keys': ({
    input,
    expected,
  }: Vector<
    { readonly answers: readonly string[]; readonly wrap: string },
    { readonly vote_keys: Keys }
  >) => ({
    got: {
      vote_keys: input.answers.map((answer) =>
        keyOf(
          input.wrap.replace('{x}', () => answer),
          'vlm',
        ),
      ),
    },
    expected: { vote_keys: expected.vote_keys },
  }),
  'vlm-grade': gradePairs('vlm'),
};
