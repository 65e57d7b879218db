import { z } from 'zod';
import { type Cohort, findAgent } from '../domain/cohort.ts';
import type { PlanRecord } from '../domain/plan.ts';
import type { Wait } from '../domain/verdict/evidence.ts';
import type { Finding } from '../domain/verdict/finding.ts';
import type { EmaStep } from '../service/ema.ts';
import type { AgentActivity } from '../store/store.ts';
import { cohortPlanSchema, planNotice, toCohortPlan } from './plan.ts';
import { severitySchema, toVerdict, verdictSchema, worstOf } from './verdict.ts';

/** How a cohort is written down: handed in by the composition root, since files and flags use it too. */
export interface CohortParser {
  /** For the API description. */
  readonly schema: z.ZodType;
  readonly parse: (
    name: string,
    raw: unknown,
  ) =>
    | { readonly ok: true; readonly cohort: Cohort }
    | {
        readonly ok: false;
        readonly problems: readonly { readonly path: string; readonly message: string }[];
      };
  /** The cohort as its user would write it, defaults filled in. */
  readonly format: (cohort: Cohort) => unknown;
}

export const cohortReplySchema = z
  .object({
    name: z.string(),
    config: z.unknown().meta({ description: 'The configuration with every default filled in.' }),
    notice: z.string().optional().meta({ description: 'What of it has no effect; absent where all has.' }),
  })
  .meta({ id: 'Cohort', description: 'A cohort and its settings.' });

export const cohortListReplySchema = z
  .object({
    cohorts: z.array(
      cohortReplySchema.extend({
        findings: z.int().meta({ description: 'How many things are wrong, as far as this replica sees.' }),
        severity: severitySchema,
      }),
    ),
  })
  .meta({ id: 'CohortList', description: 'All cohorts of this server, by name.' });

const waitSchema = z.object({
  agent: z.string().meta({ description: 'Who waits.' }),
  for: z.string().meta({ description: 'Whom it waits for.' }),
  prompts: z.int().meta({ description: 'On how many prompts.' }),
  oldest_prompt_id: z.string().nullable(),
  oldest_age_ms: z.int(),
});

export const cohortStateReplySchema = z
  .object({
    name: z.string(),
    config: z.unknown(),
    edition: z.int().meta({ description: 'How often its settings were replaced.' }),
    open_buckets: z.int().meta({ description: 'Prompts with an undecided group.' }),
    held_requests: z.int().meta({ description: 'Requests parked on this replica.' }),
    agents: z.array(
      z.object({
        name: z.string(),
        role: z.enum(['learner', 'teacher']),
        k: z.int(),
        teachers: z.array(z.string()).meta({ description: 'Whose groups it waits for; may hold itself.' }),
        incarnation: z.string().nullable(),
        finished: z.boolean(),
        rollouts: z.int().meta({ description: 'Stored so far; repeats are not counted.' }),
        last_arrival_ms_ago: z.int().nullable(),
      }),
    ),
    waits: z.array(waitSchema),
    plan: cohortPlanSchema.nullable().meta({
      description: 'What labels are weighed by and who teaches from now on; null where neither is learned.',
    }),
    verdict: verdictSchema,
  })
  .meta({ id: 'CohortState', description: 'What is going on in a cohort right now.' });

/** What of a state comes as an event: all that changes by itself. */
const cohortEventSchema = cohortStateReplySchema.omit({ config: true });

export const emaReplySchema = z
  .object({
    step: z.int(),
    coefficient: z.number().meta({ description: 'a(s): the weight of the policy.' }),
    teacher_weight: z.number().meta({ description: '1 - a(s): the weight of the teacher as it was.' }),
    moves: z
      .boolean()
      .meta({ description: 'Whether the teacher is moved at this step: every ema_interval steps.' }),
  })
  .meta({
    id: 'EmaStep',
    description: 'How the trainer moves the teacher of co-rewarding-ii: ref ← a · policy + (1 − a) · ref.',
  });

export function toEmaReply({
  step,
  coefficient,
  teacherWeight,
  moves,
}: EmaStep): z.infer<typeof emaReplySchema> {
  return { step, coefficient, teacher_weight: teacherWeight, moves };
}

/** A cohort in the list of all. */
export function toListedCohort(cohort: Cohort, config: unknown, findings: readonly Finding[]) {
  return { name: cohort.name, config, findings: findings.length, severity: worstOf(findings) };
}

export interface CohortState {
  readonly cohort: Cohort;
  readonly config: unknown;
  readonly now: number;
  readonly openBuckets: number;
  readonly held: number;
  readonly activity: readonly AgentActivity[];
  /** Of each agent, by name. */
  readonly teachers: ReadonlyMap<string, readonly string[]>;
  readonly waits: readonly Wait[];
  readonly plan: PlanRecord | null;
  readonly findings: readonly Finding[];
}

export function toCohortStateReply(state: CohortState): z.infer<typeof cohortStateReplySchema> {
  const { now } = state;
  return {
    name: state.cohort.name,
    config: state.config,
    edition: state.cohort.edition,
    open_buckets: state.openBuckets,
    held_requests: state.held,
    agents: state.activity.map(({ agent, incarnation, finished, rollouts, lastArrivalAt }) => ({
      name: agent,
      role: findAgent(state.cohort, agent)?.role ?? 'learner',
      k: findAgent(state.cohort, agent)?.k ?? 0,
      teachers: [...(state.teachers.get(agent) ?? [])],
      incarnation,
      finished,
      rollouts,
      last_arrival_ms_ago: lastArrivalAt === null ? null : Math.round(now - lastArrivalAt),
    })),
    waits: state.waits.map(({ student, teacher, prompts }) => ({
      agent: student,
      for: teacher,
      prompts: prompts.length,
      oldest_prompt_id: prompts[0]?.promptId ?? null,
      oldest_age_ms: Math.round(now - (prompts[0]?.since ?? now)),
    })),
    plan: state.plan === null ? null : toCohortPlan(state.plan, planNotice(state.cohort, state.plan)),
    verdict: toVerdict(state.findings, now),
  };
}

/** The state as the data of an event. `version` is the same while nothing happens but that time goes by. */
export function toCohortEvent(state: CohortState): { readonly version: string; readonly data: string } {
  const event = cohortEventSchema.parse(toCohortStateReply(state));
  const version = JSON.stringify({
    ...event,
    agents: event.agents.map((agent) => ({
      ...agent,
      last_arrival_ms_ago: agent.last_arrival_ms_ago === null,
    })),
    waits: event.waits.map((wait) => ({ ...wait, oldest_age_ms: 0 })),
    verdict: event.verdict.findings.map(({ code, agents }) => [code, ...agents]),
  });
  return { version, data: JSON.stringify(event) };
}
