import { z } from 'zod';
import type { Cohort } from '../domain/cohort.ts';
import {
  CHOICE_REASONS,
  FEWEST_AGENTS,
  type Plan,
  type PlanRecord,
  type TeacherFigures,
} from '../domain/plan.ts';
import { wireText } from './text.ts';

const version = z.int().meta({ description: '1 for the first that was made; 0 before it.' });
const buckets = z.int().meta({ description: 'Decided buckets that there had been when it was made.' });
const reliability = z
  .record(z.string(), z.number())
  .meta({ description: "Estimated probability that an agent's label is right." });

export const planSchema = z
  .object({
    version,
    buckets,
    reliability,
    teachers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Who teaches each agent in this bucket; null but under supervision adaptive.' }),
  })
  .nullable();

const figuresSchema = z
  .object({
    reliability: z.number().meta({ description: "Probability that the teacher's label is right." }),
    agreement: z.number().meta({ description: 'How often it has the same label as the agent.' }),
    score: z.number().meta({
      description:
        "Gain: how much more probably its labels are right than the agent's own, over the common prompts; −1 to 1.",
    }),
  })
  .nullable()
  .meta({ description: 'Null where too few prompts have a label of both.' });

const whySchema = z.enum(CHOICE_REASONS).meta({
  description:
    'best: the highest gain; margin, dwell: another is better, but not by enough, or too early; few-agents, few-prompts, alike: the ring; set, frozen: by a person.',
});

export const cohortPlanSchema = z
  .object({
    version,
    buckets,
    reliability,
    frozen: z.boolean().meta({ description: 'Teachers stay until somebody says otherwise.' }),
    teachers: z
      .array(
        z.object({
          agent: z.string(),
          teacher: z.string(),
          since_version: z
            .int()
            .nullable()
            .meta({ description: 'Plan that brought it; null: from the start.' }),
          why: whySchema,
          figures: figuresSchema,
          rival: z
            .object({ teacher: z.string(), figures: figuresSchema })
            .nullable()
            .meta({ description: 'The next best, or the one before.' }),
        }),
      )
      .meta({ description: 'One for each learner; empty but under supervision adaptive.' }),
    changes: z
      .array(
        z.object({
          version: z.int(),
          at_ms: z.number().meta({ description: 'Milliseconds since the epoch.' }),
          agent: z.string(),
          from: z.string(),
          to: z.string(),
          why: whySchema,
          from_figures: figuresSchema,
          to_figures: figuresSchema,
        }),
      )
      .meta({ description: 'The latest 20, oldest first.' }),
    notice: z.string().nullable().meta({ description: 'What keeps teachers from being chosen.' }),
  })
  .meta({ id: 'CohortPlan', description: 'What a cohort has come to think of its agents.' });

/** An agent's name as it may come; whether there is such an agent is for the service to say. */
const nameText = wireText(64).min(1);

export const teacherOrderSchema = z
  .object({
    teachers: z
      .record(nameText, nameText)
      .default({})
      .meta({ description: 'Teacher by agent; agents that are left out keep theirs.' }),
    frozen: z.boolean().default(true).meta({
      description:
        'false: until a later choice, after adaptive.min_dwell. true: until this is called again, or DELETE.',
    }),
  })
  .meta({
    id: 'TeacherOrder',
    description: 'Teachers that a person wants, from the next bucket on.',
    examples: [{ teachers: { qwen: 'llama' }, frozen: true }],
  });

/** What a bucket goes by. */
export function toBucketPlan(plan: Plan | null): z.infer<typeof planSchema> {
  if (plan === null) return null;
  const { version: made, rows, teachers } = plan;
  return {
    version: made,
    buckets: rows,
    reliability: { ...plan.reliability },
    teachers: teachers === null ? null : { ...teachers },
  };
}

/** The latest plan of a cohort. */
export function toCohortPlan(plan: PlanRecord, notice: string | null): z.infer<typeof cohortPlanSchema> {
  return {
    version: plan.version,
    buckets: plan.rows,
    reliability: { ...plan.reliability },
    frozen: plan.frozen,
    teachers: plan.choices.map(({ agent, teacher, since, why, figures, rival }) => ({
      agent,
      teacher,
      since_version: since,
      why,
      figures: toFigures(figures),
      rival: rival === null ? null : { teacher: rival.teacher, figures: toFigures(rival.figures) },
    })),
    changes: plan.changes.map((change) => ({
      version: change.version,
      at_ms: change.at,
      agent: change.agent,
      from: change.from,
      to: change.to,
      why: change.why,
      from_figures: toFigures(change.fromFigures),
      to_figures: toFigures(change.toFigures),
    })),
    notice,
  };
}

function toFigures(figures: TeacherFigures | null): z.infer<typeof figuresSchema> {
  return figures === null ? null : { ...figures };
}

/** Why a cohort that would choose teachers has the ring, as a sentence; null where it does choose, or would not. */
export function planNotice(cohort: Cohort, { choices }: PlanRecord): string | null {
  const { supervision } = cohort;
  if (supervision.kind !== 'adaptive') return null;
  const waits = choices.some(({ why }) => why === 'few-prompts')
    ? `Until two agents have labels on ${supervision.minPrompts} common prompts (adaptive.min_prompts), the ring (${supervision.fallback}) teaches.`
    : null;
  return fewAgentsNotice(cohort) ?? waits;
}

/** Says that supervision `adaptive` has no effect among so few agents; null where it has, or another was asked for. */
export function fewAgentsNotice({ agents, supervision }: Cohort): string | null {
  if (supervision.kind !== 'adaptive' || agents.length >= FEWEST_AGENTS) return null;
  return `Agreement of ${agents.length} agents does not tell who is reliable, so that the ring (${supervision.fallback}) teaches: teachers are chosen among ${FEWEST_AGENTS} agents or more.`;
}
