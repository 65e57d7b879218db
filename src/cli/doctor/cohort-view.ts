import { z } from 'zod';
import { EXTRACTION_MODES, type ExtractionMode } from '../../answers/modes.ts';
import { parseCohort } from '../../config/parse-cohort.ts';
import { METHOD_NAMES, type MethodName } from '../../domain/cohort.ts';
import { methodOf } from '../../methods/registry.ts';

const stateSchema = z.looseObject({
  name: z.string(),
  config: z.looseObject({
    method: z.enum(METHOD_NAMES),
    agents: z.array(z.looseObject({ name: z.string(), view: z.string() })),
    answers: z.looseObject({ mode: z.enum(EXTRACTION_MODES), reasoning: z.string().optional() }),
    barrier: z.string(),
    vote: z.looseObject({ threshold: z.number(), tie: z.string() }),
  }),
  agents: z.array(
    z.looseObject({
      name: z.string(),
      role: z.string(),
      k: z.number(),
      teachers: z.array(z.string()),
      rollouts: z.number(),
    }),
  ),
});

export interface AgentView {
  readonly name: string;
  readonly k: number;
  readonly view: string;
  readonly learns: boolean;
  readonly teachers: readonly string[];
  /** Stored so far. */
  readonly rollouts: number;
}

/** What the checks need to know of a cohort. */
export interface CohortView {
  readonly name: string;
  readonly method: MethodName;
  readonly mode: ExtractionMode;
  readonly reasoning: string | null;
  readonly barrier: string;
  readonly threshold: number;
  readonly tie: string;
  readonly agents: readonly AgentView[];
  /** Whether the method rewards by the ground truth. */
  readonly paysTruth: boolean;
  /** As `PUT /v1/cohorts/{cohort}` takes it. */
  readonly config: unknown;
}

/** A cohort from what `GET /v1/cohorts/{cohort}` answers; null for what no PeerVote of this version says. */
export function parseCohortView(body: unknown): CohortView | null {
  const parsed = stateSchema.safeParse(body);
  if (!parsed.success) return null;
  const { name, config, agents } = parsed.data;
  const whole = parseCohort(name, config);
  if (!whole.ok) return null;
  return {
    name,
    method: config.method,
    mode: config.answers.mode,
    reasoning: config.answers.reasoning ?? null,
    barrier: config.barrier,
    threshold: config.vote.threshold,
    tie: config.vote.tie,
    agents: agents.map((agent) => ({
      name: agent.name,
      k: agent.k,
      view: config.agents.find((each) => each.name === agent.name)?.view ?? 'original',
      learns: agent.role === 'learner',
      teachers: agent.teachers,
      rollouts: agent.rollouts,
    })),
    paysTruth: methodOf(config.method).needsTruth(whole.cohort),
    config,
  };
}
