import type { AgentEvidence, Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';

const FEWEST_STEPS = 8;
/** Times as many prompts in a step of one as in a step of the other. */
const APART = 1.25;

/** Two agents use up prompts at another rate by step, so that they meet on a prompt at steps that move apart. */
export function findStepDrift({ agents }: Evidence): readonly Finding[] {
  return agents.flatMap((one, at) =>
    agents.slice(at + 1).flatMap((other): Finding[] => {
      const [first, second] = [usualSize(one), usualSize(other)];
      if (first === null || second === null || Math.max(first / second, second / first) < APART) return [];
      const message = `"${one.name}" uses ${first} prompts a step and "${other.name}" ${second}: they meet on the same prompts at steps that move apart (now ${one.trail.step} and ${other.trail.step}), so one of them has had more updates by then. Give both the same number of prompts per step, unless you mean it.`;
      const figures = { first_prompts_per_step: first, second_prompts_per_step: second };
      return [findingOf('step_drift', { agents: [one.name, other.name], since: null, message, figures })];
    }),
  );
}

/** The median of its steps. */
function usualSize({ stepSizes, trail }: AgentEvidence): number | null {
  if (trail.step === null || stepSizes.length < FEWEST_STEPS) return null;
  return stepSizes.toSorted((a, b) => a - b)[Math.floor(stepSizes.length / 2)] ?? null;
}
