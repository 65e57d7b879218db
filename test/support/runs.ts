import { seeded } from '../../src/cli/simulate/seeded.ts';

/** How a drawn training run goes. */
export type Course = 'healthy' | 'collapsing' | 'unreadable' | 'stalled';

export const RUN_AGENTS = ['qwen', 'llama'] as const;
export const RUN_K = 4;

/** What one agent sends at one step: the body of a native submission. */
export interface RunSubmission {
  readonly agent: string;
  readonly body: { readonly step: number; readonly groups: readonly object[] };
}

interface RunOptions {
  readonly course: Course;
  readonly seed: number;
  readonly steps: number;
  readonly promptsPerStep: number;
}

/**
 * The submissions of two agents in order. `healthy`: both get better. `collapsing`: from half of the run on everybody says "0",
 * at ever greater length. `unreadable`: nobody boxes an answer. `stalled`: the second agent is silent from half of the run on,
 * and the first sends one step more.
 */
export function drawRun({ course, seed, steps, promptsPerStep }: RunOptions): RunSubmission[] {
  const random = seeded(seed);
  const half = Math.floor(steps / 2);
  return Array.from({ length: steps }, (_, step) => step).flatMap((step) =>
    RUN_AGENTS.flatMap((agent, place) => {
      if (course === 'stalled' && (step > half || (step === half && place === 1))) return [];
      const groups = Array.from({ length: promptsPerStep }, (_, at) => {
        const [left, right] = [10 + ((step * 7 + at * 13) % 80), 10 + ((step * 11 + at * 29) % 80)];
        const rollouts = Array.from({ length: RUN_K }, (_, index) => {
          const progress = step / steps;
          const decay = course === 'collapsing' ? Math.max(0, (step - half) / Math.max(1, steps - half)) : 0;
          const isRight = random() < 0.45 + 0.4 * progress;
          const isZero = random() < 2.5 * decay;
          const slip = 1 + Math.floor(random() * 9);
          const answer = isZero ? 0 : left + right + (isRight ? 0 : slip);
          const thought = `${left} + ${right}: ${'I add the ones, then the tens. '.repeat(1 + Math.round(decay * 12))}`;
          const end = course === 'unreadable' ? `So it is ${answer}` : `So it is \\boxed{${answer}}`;
          return {
            index,
            completion: `${agent} ${index}: ${thought}${end}.`,
            tokens: Math.round(40 + 20 * random() + 500 * decay),
          };
        });
        return {
          prompt_id: `sum-${step}-${at}`,
          problem: `What is ${left} + ${right}?`,
          ground_truth: String(left + right),
          rollouts,
        };
      });
      return [{ agent, body: { step, groups } }];
    }),
  );
}
