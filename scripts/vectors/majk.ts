import { majAtK, majorities, passAtK, scoreMajority } from '../../src/methods/maj-at-k.ts';
import type { Keys, Runners, Vector } from './vector.ts';

type Pooled = Vector<{ readonly A: Keys; readonly B: Keys; readonly gold: string }>;
type Single = Vector<
  { readonly answers: Keys; readonly gold: string },
  Readonly<Record<string, unknown>>,
  { readonly k: number }
>;

/** No vector is large enough to need a draw. */
const noDraw = () => {
  throw new Error('these subsets are counted, not drawn');
};

export const runners: Runners = {
  'majk-pooled-tie': ({ input: { A, B, gold } }: Pooled) => {
    const isGold = (answer: string) => answer === gold;
    const interleaved = A.flatMap((answer, at) => [answer, B[at] ?? null]);
    const leaders = majorities([...A, ...B]);
    return {
      got: {
        first_seen_A_first: leaders[0],
        first_seen_B_first: majorities([...B, ...A])[0],
        interleaved_A_first: majorities(interleaved)[0],
        discard: leaders.length === 1 ? leaders[0] : null,
        score_first_seen_A: scoreMajority([...A, ...B], isGold, 'first'),
        score_first_seen_B: scoreMajority([...B, ...A], isGold, 'first'),
        score_fractional: scoreMajority([...A, ...B], isGold, 'fractional'),
      },
    };
  },
  'majk-': ({ input: { answers, gold }, config: { k } }: Single) => {
    const isGold = (answer: string) => answer === gold;
    const right = answers.filter((answer) => answer !== null && isGold(answer)).length;
    const score = (tie: 'first' | 'fractional') => majAtK(answers, { k, isGold, tie, random: noDraw }).score;
    return {
      got: {
        label: majorities(answers)[0],
        score: score('fractional'),
        first_seen: score('first'),
        fractional: score('fractional'),
        pass_at_k: passAtK(answers.length, right, k),
        mean_at_n: right / answers.length,
      },
    };
  },
};
