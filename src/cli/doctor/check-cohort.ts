import { type Check, fail, ok, skip, warn } from './check.ts';
import type { CohortView } from './cohort-view.ts';

/** Who learns from whom, whether all of it is there, and whether it is as new as a run wants it. */
export function checkCohort({ name, method, mode, agents, barrier }: CohortView): Check[] {
  const learners = agents.filter(({ learns }) => learns);
  const edges = learners.map(({ name: student, teachers }) =>
    teachers.length === 0 ? `${student} waits for nobody` : `${student} learns from ${teachers.join(', ')}`,
  );
  const about = `"${name}" is ${method}, answers ${mode}, barrier ${barrier}: ${edges.join('; ')}.`;
  const used = agents.filter(({ rollouts }) => rollouts > 0);
  if (used.length === 0) return [ok('cohort', about)];
  const stored = used.map((agent) => `${agent.rollouts} rollouts of ${agent.name}`).join(', ');
  return [
    warn(
      'cohort',
      `${about} It already holds ${stored}: a new run needs a cohort of its own, or DELETE this one first; a job that resumes needs a new PEERVOTE_INCARNATION.`,
    ),
  ];
}

/** Whether every data set is of an agent of the cohort, and every agent has one. */
export function checkAgents({ name, agents }: CohortView, given: readonly string[]): Check[] {
  const names = agents.map((agent) => agent.name);
  const unknown = given.filter((agent) => !names.includes(agent));
  if (unknown.length > 0) {
    const whom = unknown.map((agent) => `"${agent}"`).join(', ');
    return [fail('agents', `Cohort "${name}" has no agent ${whom}: its agents are ${names.join(', ')}.`)];
  }
  const without = names.filter((agent) => !given.includes(agent));
  if (given.length > 0 && without.length > 0) {
    return [
      warn(
        'agents',
        `No data set was given for ${without.join(', ')}: add --data ${without[0]}=FILE, or it is not compared.`,
      ),
    ];
  }
  return [ok('agents', `The agents are ${names.join(', ')}.`)];
}

/** Samples per prompt of the trainers against the cohort's K. `samples`: by agent, '' for all. */
export function checkK({ agents }: CohortView, samples: ReadonlyMap<string, number>): Check[] {
  const said = agents.flatMap((agent) => {
    const count = samples.get(agent.name) ?? samples.get('');
    return count === undefined ? [] : [{ ...agent, count }];
  });
  const all = agents.map(({ name, k }) => `${name} ${k}`).join(', ');
  if (said.length === 0) {
    return [
      skip('k', `The cohort waits for: ${all}. Say what the trainers sample (num_generations, …) with --k.`),
    ];
  }
  const wrong = said.filter(({ k, count }) => k !== count);
  if (wrong.length === 0) return [ok('k', `Rollouts per prompt are what the trainers sample: ${all}.`)];
  return wrong.map(({ name, k, count }) =>
    fail(
      'k',
      count < k
        ? `Every group of "${name}" would stop at ${count} of ${k} and wait for the deadline: let its trainer sample ${k} (num_generations, n_samples_per_prompt, rollout.n), or give the agent k ${count}.`
        : `The trainer of "${name}" samples ${count} for a group of ${k}, which then holds more than votes: give the agent k ${count}, or let its trainer sample ${k}.`,
    ),
  );
}
