import { METHOD_NAMES, type MethodName } from '../../src/domain/cohort.ts';
import { PARTS } from '../../src/domain/signals.ts';
import { invent } from './invent.ts';
import { type Problem, type Source, TURNS } from './problem.ts';

/** How one method is run: its cohort, and what each agent sends for one problem. */
export interface Plan {
  readonly method: MethodName;
  readonly config: Readonly<Record<string, unknown>>;
  readonly agents: readonly string[];
  /** Rollouts of agent number `agent` for a problem, in the native protocol. */
  readonly rolloutsOf: (problem: Problem, agent: number) => readonly Readonly<Record<string, unknown>>[];
}

/** One plan per method, in the order of METHOD_NAMES. */
export function plansFor(source: Source): readonly Plan[] {
  return METHOD_NAMES.map((method) => planFor(method, source));
}

function planFor(method: MethodName, { agents: [one, two, three], k, mode }: Source): Plan {
  const pair = [one, two];
  const base = { method, agents: pair, config: { agents: pair, k, method, answers: { mode } } };
  const plain: Plan = { ...base, rolloutsOf: (problem, agent) => completionsOf(problem, agent) };
  switch (method) {
    case 'co-rl':
    case 'ttrl':
    case 'ground-truth':
    case 'random':
    case 'format':
    case 'inverted':
      return plain;
    case 'rent':
      return withEach(plain, (...place) => ({ mean_entropy: 2 * invent('entropy', ...place) }));
    case 'intuitor':
      return withEach(plain, (...place) => ({
        token_kl_u_p: [8 * invent('kl', ...place), 8 * invent('kl again', ...place), -1],
        token_mask: [1, 1, 0],
      }));
    case 'llm-judge':
      return withEach(plain, (...place) => ({ score: invent('judge', ...place) }));
    case 'co-rewarding-i':
      return { ...plain, config: { ...base.config, agents: [one, { name: two, view: 'rephrased' }] } };
    case 'co-rewarding-ii': {
      const agents = [one, { name: two, role: 'teacher' }];
      return { ...plain, config: { ...base.config, agents, options: { ema_steps: 100 } } };
    }
    case 'comas': {
      const agents = [one, two, three];
      const rolloutsOf: Plan['rolloutsOf'] = (problem, agent) => discussionOf(problem, agent, agents.length);
      return { method, agents, config: { ...base.config, agents, k: agents.length }, rolloutsOf };
    }
    case 'maporl':
      return {
        ...base,
        config: { ...base.config, k: 2 * TURNS },
        rolloutsOf: (problem, agent) =>
          completionsOf(problem, agent)
            .slice(0, 2 * TURNS)
            .map((rollout, at) => ({
              ...rollout,
              interaction_id: `talk ${Math.floor(at / TURNS)}`,
              turn: at % TURNS,
              score: invent('verifier', problem.promptId, problem.round, agent, at),
            })),
      };
  }
}

function completionsOf({ completions }: Problem, agent: number) {
  return (completions[agent] ?? []).map((completion, index) => ({ id: `r${index}`, index, completion }));
}

/** Adds something invented to every rollout. */
function withEach(plan: Plan, add: (...place: readonly (string | number)[]) => object): Plan {
  return {
    ...plan,
    rolloutsOf: (problem, agent) =>
      plan
        .rolloutsOf(problem, agent)
        .map((rollout, index) => ({ ...rollout, ...add(problem.promptId, problem.round, agent, index) })),
  };
}

/** As many discussions as agents, each agent in every part once; the scorer's text is invented, now and then unreadable. */
function discussionOf(problem: Problem, agent: number, size: number) {
  return PARTS.map((part, place) => {
    const talk = (agent - place + size) % size;
    const verdict = 1 + Math.floor(4 * invent('tau', problem.promptId, problem.round, talk));
    const completion =
      part === 'scorer'
        ? `I give <score>${verdict}</score>.`
        : (problem.completions[agent]?.[place] ?? 'I have nothing to say.');
    return { id: part, index: place, part, interaction_id: `talk ${talk}`, completion };
  });
}
