import type { DemoAgent } from './agents.ts';
import type { Choice } from './policy.ts';
import type { Problem } from './problems.ts';

/** The text that a model would have written. Without a choice it rambles until its tokens are used up. */
export function writeCompletion(agent: DemoAgent, problem: Problem, choice: Choice): string {
  const solution = choice === null ? undefined : problem.solutions[choice];
  if (solution === undefined) return `${agent.opening} Let me read the problem again. ${problem.text} Let me`;
  return `${agent.opening} ${solution.steps} The answer is \\boxed{${agent.write(solution.answer)}}.`;
}
