import { AGENTS, FIRST_STEPS, K, LAST_STEPS, STEPS } from './agents.ts';
import { bucketUrl } from './inside.ts';
import type { Options } from './options.ts';
import type { Problem } from './problems.ts';
import { type CohortFigures, percent } from './table.ts';

/** What a stranger reads before anything happens. */
export function tellBeginning(url: string, prompts: number, { twins, seed }: Options): string {
  const names = AGENTS.map(({ name }) => name);
  const start = twins
    ? `All start as ${names[0]} does, with the same favourite mistakes.`
    : 'Each is good at other problems and makes mistakes of its own.';
  return `
PeerVote quickstart: three agents learn from each other's votes.

  server   ${url}, on the embedded store (the memory of this process)
  agents   ${names.join(', ')}: three processes that share nothing but that URL. No language model is
           in them: each is a table of chances for ${prompts} word problems, trained by policy gradient
           (GRPO). ${start}
  step     Each agent samples ${K} answers to each of ${prompts / 2} prompts, posts them and waits for its rewards.

Each agent trains twice from the same start (seed ${seed}), in two cohorts of that server:

  ring     Co-RL: an answer gets reward 1 if it is the one that another agent, the teacher, gave
           most often to the same prompt, else 0. ${tellRing(names)}.
           The server holds a request until the teacher's ${K} answers are there.
  self     TTRL: the same with the agent's own most frequent answer.

The true answers are sent along for the metrics only: no reward is made of them.
`;
}

/** `ada learns from cleo, bo from ada, cleo from bo`. */
function tellRing(names: readonly string[]): string {
  const pairs = names.map((name, at) => `${name}${at === 0 ? ' learns' : ''} from ${names.at(at - 1)}`);
  return pairs.join(', ');
}

/** What the rows and columns of the closing table mean. */
export const LEGEND = `
  first, last      steps ${FIRST_STEPS.from}-${FIRST_STEPS.to} and ${LAST_STEPS.from}-${LAST_STEPS.to} of ${STEPS}, from the server's replies
  all              every step, from the server's /metrics
  agreement        prompts on which two agents' most frequent answers are the same
  label accuracy   most frequent answers of an agent that are true
  reward           what an agent was paid for an answer, on average
  answers right    answers of an agent that are true: what the training is for`;

/** The figures in two sentences, whichever way they went. */
export function tellResult(cohorts: readonly CohortFigures[]): string {
  const lines = cohorts.map(({ title, agents }) => {
    const mean = (read: (agent: CohortFigures['agents'][number]) => number) =>
      agents.reduce((sum, agent) => sum + read(agent), 0) / agents.length;
    const [before, after] = [mean((each) => each.answersRight.first), mean((each) => each.answersRight.last)];
    const reward = mean((each) => each.reward.last).toFixed(2);
    return `  ${title}: ${percent(before)} of the answers right at first, ${percent(after)} at last; mean reward at last ${reward}.`;
  });
  return lines.join('\n');
}

/** How far these figures go. */
export function tellLimits({ twins }: Options): string {
  const limit = twins
    ? `These agents prefer the same mistakes, so a peer's vote corrects little more than bad luck.
Compare with the run without --twins.`
    : `The ring gains where mistakes differ, and a problem that most agents get wrong can be lost to all.
Other agents and other luck: --seed 2. Agents with the same mistakes: --twins.`;
  return `
This is a toy. It shows the mechanism, not what your models will do.
${limit}`;
}

/** Where to go from here. */
export function tellNext(url: string, problem: Problem, { keep }: Options): string {
  const state = keep
    ? 'The server goes on until you press Ctrl-C. From another terminal:'
    : `The server ends here. With --keep it stays at ${url}, and you can look at it:`;
  return `
${state}

  ${url}/docs   the API, to read and to try
  curl -s ${bucketUrl(url, problem)}   every answer, vote and reward of the prompt above
  curl -s ${url}/v1/cohorts/ring   who is there, and who waits for whom
  curl -s ${url}/metrics   what Prometheus collects

A server for your own trainers; README.md says how to point them at it:

  npm run build && npx peervote serve --agents qwen,llama --k 8
`;
}
