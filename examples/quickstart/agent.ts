import { setTimeout as sleep } from 'node:timers/promises';
import { AGENTS, type DemoAgent, K, STEPS, STEPS_PER_EPOCH } from './agents.ts';
import { requestRewards, type SentGroup } from './client.ts';
import { writeCompletion } from './completions.ts';
import type { AgentOrder, StepReport } from './messages.ts';
import { type Choice, Policy } from './policy.ts';
import { makeProblems, type Problem } from './problems.ts';
import { seedRandom } from './random.ts';

await run(JSON.parse(process.argv[2] ?? '') as AgentOrder);

/** The process of one agent: a trainer in small, which knows nothing of the others but the URL it posts to. */
async function run(order: AgentOrder): Promise<void> {
  const agent = AGENTS.find(({ name }) => name === order.startsAs);
  if (agent === undefined) throw new Error(`There is no agent "${order.startsAs}".`);
  await Promise.all(order.cohorts.map((cohort) => train(agent, order, cohort)));
  process.disconnect();
}

/** Samples, asks for rewards and updates, step by step; with the same start and luck in every cohort. */
async function train(agent: DemoAgent, { name, url, seed }: AgentOrder, cohort: string): Promise<void> {
  const problems = makeProblems();
  const policy = new Policy(problems, agent.skills, seedRandom(`start ${agent.name} ${seed}`));
  const random = seedRandom(`samples ${name} ${seed}`);
  for (let step = 1; step <= STEPS; step++) {
    const batch = problems.filter((_, at) => at % STEPS_PER_EPOCH === step % STEPS_PER_EPOCH);
    const sampled = batch.map((problem) => ({
      problem,
      choices: Array.from({ length: K }, () => policy.sample(problem, random)),
    }));
    // No figure depends on who is faster, so this needs no seed.
    await sleep(agent.paceMs * (0.5 + Math.random()));
    const groups = sampled.map(({ problem, choices }) => writeGroup(agent, problem, choices));
    const reply = await requestRewards(`${url}/v1/cohorts/${cohort}/agents/${name}`, step, groups);
    for (const [at, { problem, choices }] of sampled.entries()) {
      const rewards = reply.groups[at]?.rewards.map((reward) => reward ?? 0) ?? [];
      policy.update(problem, choices, rewards);
    }
    const report: StepReport = { agent: name, cohort, step, ...reply };
    await new Promise((sent) => process.send?.(report, sent));
  }
}

function writeGroup(agent: DemoAgent, problem: Problem, choices: readonly Choice[]): SentGroup {
  return {
    prompt_id: problem.id,
    ground_truth: String(problem.truth),
    rollouts: choices.map((choice, index) => ({
      index,
      completion: writeCompletion(agent, problem, choice),
      truncated: choice === null,
    })),
  };
}
