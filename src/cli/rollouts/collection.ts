import type { ExtractionMode } from '../../answers/modes.ts';
import type { NewRollout } from '../../domain/arrival.ts';
import type { Bucket, DecidedGroup, GroundTruth, Rollout, Truth } from '../../domain/bucket.ts';
import { type AgentName, type Cohort, findAgent } from '../../domain/cohort.ts';
import { isTrue } from '../../methods/ground-truth.ts';
import { readGroupTruth } from '../../service/read-rollout.ts';
import type { Visit } from './row.ts';

/** What a rollout has beside its answer; only kept where rewards are asked for. */
type Rest = Pick<NewRollout, 'digest' | 'truncated' | 'signals'>;

interface KeptGroup {
  readonly indices: number[];
  /** Places in the answers of the prompt; -1 without one. */
  readonly answers: number[];
  readonly rest: Rest[] | null;
}

interface KeptPrompt {
  mode: ExtractionMode;
  truth: Truth | null;
  /** Every answer that was given to it, once. */
  readonly answers: { readonly answer: string; readonly key: string }[];
  readonly places: Map<string, number>;
  readonly groups: Map<AgentName, { readonly by: Visit['by']; readonly visits: Map<number, KeptGroup> }>;
}

/** The rollouts of one agent for one prompt, as a row brought them. */
export interface Addition {
  readonly promptId: string;
  readonly agent: AgentName;
  readonly visit: Visit;
  readonly truth: GroundTruth | null;
  /** Texts of the options of its prompt, by which a truth may be named. */
  readonly choices: readonly string[] | null;
  readonly mode: ExtractionMode;
  readonly rollouts: readonly NewRollout[];
}

const NO_REST: Rest = { digest: '', truncated: false, signals: null };

/**
 * What is kept of the rollouts of a file: for each two numbers, for each prompt the different answers it got. Never a
 * completion.
 */
export class Collection {
  readonly #prompts = new Map<string, KeptPrompt>();
  readonly #sizes = new Map<AgentName, Map<number, number>>();
  readonly #keepsRest: boolean;
  #rollouts = 0;

  constructor(keepsRest: boolean) {
    this.#keepsRest = keepsRest;
  }

  get rollouts(): number {
    return this.#rollouts;
  }

  get prompts(): number {
    return this.#prompts.size;
  }

  get promptsWithTruth(): number {
    let count = 0;
    for (const { truth } of this.#prompts.values()) if (truth !== null) count++;
    return count;
  }

  /** In the order in which they appeared. */
  get agents(): readonly AgentName[] {
    return [...this.#sizes.keys()];
  }

  /** Keeps the rollouts. A sentence where they contradict what is there: then nothing is kept. */
  add({ promptId, agent, visit, truth: sent, choices, mode, rollouts }: Addition): string | null {
    const prompt = this.#prompts.get(promptId) ?? newPrompt(mode);
    const truth = readGroupTruth({ groundTruth: sent, choices }, mode).truth;
    const conflict = sent === null ? null : checkTruth(prompt, truth, sent);
    if (conflict !== null) return conflict;
    const own = prompt.groups.get(agent) ?? { by: visit.by, visits: new Map<number, KeptGroup>() };
    if (own.by !== visit.by) {
      return `some rows of agent ${agent} for prompt ${promptId} have a round and others only a step`;
    }
    const group = own.visits.get(visit.at) ?? { indices: [], answers: [], rest: this.#keepsRest ? [] : null };
    const indices = rollouts.map(({ index }, at) => index ?? group.indices.length + at);
    const repeated = indices.find(
      (index, at) => group.indices.includes(index) || indices.indexOf(index) < at,
    );
    if (repeated !== undefined) {
      return `rollout ${repeated} of agent ${agent} for prompt ${promptId}, ${visit.by} ${visit.at}, was read before`;
    }
    prompt.truth ??= truth;
    for (const [at, { answer, key, digest, truncated, signals }] of rollouts.entries()) {
      group.indices.push(indices[at] ?? 0);
      group.answers.push(answer === null || key === null ? -1 : placeOf(prompt, answer, key));
      group.rest?.push({ digest, truncated, signals });
    }
    own.visits.set(visit.at, group);
    prompt.groups.set(agent, own);
    this.#prompts.set(promptId, prompt);
    this.#rollouts += rollouts.length;
    this.#noteSize(agent, group.indices.length, rollouts.length);
    return null;
  }

  /** Rollouts that most groups of an agent have; the larger of two such numbers. 0 for an unknown agent. */
  usualSize(agent: AgentName): number {
    let [best, most] = [0, 0];
    for (const [size, count] of this.#sizes.get(agent) ?? []) {
      if (count > most || (count === most && size > best)) [best, most] = [size, count];
    }
    return best;
  }

  /** Groups of the agent that has most of them: about as many as there are buckets. */
  get mostGroups(): number {
    const counts = [...this.#sizes.values()].map((sizes) => [...sizes.values()].reduce((a, b) => a + b, 0));
    return Math.max(0, ...counts);
  }

  /** Buckets of all prompts and rounds, by prompt id and round, whatever the order of the files. Agents that sent nothing have an empty group. */
  *buckets(cohort: Cohort): Generator<Bucket> {
    for (const promptId of [...this.#prompts.keys()].sort()) {
      const prompt = this.#prompts.get(promptId);
      if (prompt === undefined) continue;
      const rounds = new Map<number, Map<AgentName, KeptGroup>>();
      for (const [agent, { by, visits }] of prompt.groups) {
        for (const [rank, at] of [...visits.keys()].sort((a, b) => a - b).entries()) {
          const group = visits.get(at);
          const round = by === 'step' ? rank : at;
          if (group !== undefined) rounds.set(round, (rounds.get(round) ?? new Map()).set(agent, group));
        }
      }
      const previous = new Map<AgentName, DecidedGroup>();
      for (const round of [...rounds.keys()].sort((a, b) => a - b)) {
        const groups = new Map(
          cohort.agents.map(({ name }) => {
            const group = toGroup(
              cohort,
              name,
              prompt,
              rounds.get(round)?.get(name),
              previous.get(name) ?? null,
            );
            return [name, group] as const;
          }),
        );
        for (const [name, group] of groups)
          if (group.state !== 'empty') previous.set(name, { ...group, previous: null });
        yield { promptId, round, truth: prompt.truth, settings: cohort, plan: null, groups };
      }
    }
  }

  #noteSize(agent: AgentName, size: number, added: number): void {
    const sizes = this.#sizes.get(agent) ?? new Map<number, number>();
    const before = sizes.get(size - added) ?? 0;
    if (before > 1) sizes.set(size - added, before - 1);
    else sizes.delete(size - added);
    sizes.set(size, (sizes.get(size) ?? 0) + 1);
    this.#sizes.set(agent, sizes);
  }
}

function newPrompt(mode: ExtractionMode): KeptPrompt {
  return { mode, truth: null, answers: [], places: new Map(), groups: new Map() };
}

function placeOf({ answers, places }: KeptPrompt, answer: string, key: string): number {
  const known = places.get(answer);
  if (known !== undefined) return known;
  answers.push({ answer, key });
  places.set(answer, answers.length - 1);
  return answers.length - 1;
}

function checkTruth({ truth }: KeptPrompt, read: Truth | null, sent: GroundTruth): string | null {
  const shown = JSON.stringify(String(sent).slice(0, 80));
  if (read === null) return `the truth ${shown} cannot be read as an answer`;
  if (truth === null || truth.key === read.key || isTrue(read.text, truth)) return null;
  return `the truth ${shown} is not that of an earlier row, ${JSON.stringify(truth.text.slice(0, 80))}`;
}

function toGroup(
  cohort: Cohort,
  agent: AgentName,
  { answers }: KeptPrompt,
  kept: KeptGroup | undefined,
  previous: DecidedGroup | null,
): DecidedGroup {
  const k = findAgent(cohort, agent)?.k ?? 1;
  const rollouts = (kept?.indices ?? []).map((index, at): Rollout => {
    const found = answers[kept?.answers[at] ?? -1];
    return {
      id: `#${index}`,
      index,
      incarnation: null,
      step: null,
      askedAt: null,
      answer: found?.answer ?? null,
      key: found?.key ?? null,
      tokens: null,
      late: false,
      anonymous: false,
      holder: null,
      ...(kept?.rest?.[at] ?? NO_REST),
    };
  });
  const state = rollouts.length === 0 ? 'empty' : rollouts.length < k ? 'partial' : 'complete';
  return {
    agent,
    k,
    state,
    cause: state === 'complete' ? 'k' : 'deadline',
    incarnation: null,
    step: null,
    openedAt: 0,
    deadlineAt: 0,
    quorumAt: null,
    decidedAt: 0,
    rollouts: rollouts.sort((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    basis: null,
    previous,
  };
}
