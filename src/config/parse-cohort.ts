import type { ExtractionMode, Fallback } from '../answers/modes.ts';
import type { ReasoningPolicy } from '../answers/reasoning-policy.ts';
import type { Agent, AnswerSettings, Cohort, Supervision } from '../domain/cohort.ts';
import { readOr, UNREADABLE } from '../domain/fallible-read.ts';
import { VOTING_METHODS } from '../domain/reward-rules.ts';
import { toAdaptiveConfig, toAdaptiveReliability, toAdaptiveRules } from './adaptive-schema.ts';
import { DEFAULT_VIEW } from './agent-schema.ts';
import { draftCohort } from './cohort-draft.ts';
import { checkCohortRules } from './cohort-rules.ts';
import {
  CONDITIONAL_DEFAULTS,
  type CohortConfig,
  type CohortConfigSource,
  cohortConfigSchema,
} from './cohort-schema.ts';
import { nameSchema } from './fields.ts';
import { toMethodOptions, toOptionsConfig } from './method-options-schema.ts';
import { formatPath, gotText, type Issue, toIssues } from './problems.ts';
import { toReliabilityConfig, toReliabilityRules } from './reliability-schema.ts';
import { toRewardConfig, toRewardRules } from './reward-schema.ts';

/** One thing wrong with a cohort. `path` as in `agents[1].k`; empty for the cohort as a whole. */
export interface CohortProblem {
  readonly path: string;
  readonly message: string;
}

export type ParsedCohort =
  | { readonly ok: true; readonly cohort: Cohort }
  | { readonly ok: false; readonly problems: readonly CohortProblem[] };

/** Checks a cohort as written; every problem is reported, also those between fields. Never throws. */
export function parseCohort(name: string, raw: unknown): ParsedCohort {
  const checked = checkCohort(name, raw);
  if (checked.ok) return checked;
  return {
    ok: false,
    problems: checked.issues.map(({ path, message }) => ({ path: formatPath(path), message })),
  };
}

type CheckedCohort =
  | { readonly ok: true; readonly cohort: Cohort }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** {@link parseCohort} with paths that can still be prefixed and looked up. */
export function checkCohort(name: string, raw: unknown): CheckedCohort {
  return readOr(
    () => checkReadable(name, raw),
    () => ({ ok: false, issues: [{ path: [], message: UNREADABLE }] }),
  );
}

function checkReadable(name: string, raw: unknown): CheckedCohort {
  const named = nameSchema.safeParse(name);
  const issues: Issue[] = named.success
    ? []
    : [
        {
          path: [],
          message: `this cohort needs another name: ${named.error.issues[0]?.message}${gotText(name)}`,
        },
      ];
  const parsed = cohortConfigSchema.safeParse(raw);
  if (!parsed.success) issues.push(...toIssues(parsed.error.issues, raw));
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) {
    issues.push(...checkCohortRules(draftCohort(raw as Readonly<Record<string, unknown>>)));
  }
  if (issues.length > 0 || !parsed.success) return { ok: false, issues };
  return { ok: true, cohort: toCohort(name, parsed.data) };
}

/** The domain's form of a cohort that {@link parseCohort} accepts, every default filled in. */
export function toCohort(name: string, config: CohortConfig): Cohort {
  const agents = config.agents.map((entry): Agent => {
    if (typeof entry === 'string') return { name: entry, k: config.k, view: DEFAULT_VIEW, role: 'learner' };
    return { name: entry.name, k: entry.k ?? config.k, view: entry.view, role: entry.role };
  });
  return {
    name,
    edition: 0,
    agents,
    method: config.method,
    options: toMethodOptions(config.options),
    supervision: toSupervision(config, agents),
    vote: {
      threshold: config.vote.threshold,
      denominator: config.vote.denominator,
      minVotes: config.vote.min_votes,
      tie: config.vote.tie,
      allowEmptyVote: config.vote.allow_empty_vote,
    },
    weighting: config.vote.weighting,
    includeOwn: config.vote.include_own,
    reliability:
      config.supervision === 'adaptive'
        ? toAdaptiveReliability(config.adaptive)
        : toReliabilityRules(config.reliability),
    reward: toRewardRules(config.reward),
    answers: toAnswerSettings(config.answers),
    barrier: {
      mode: config.barrier,
      maxStaleness: config.max_staleness ?? CONDITIONAL_DEFAULTS.maxStaleness,
      deadlineMs: config.deadline_ms,
      quorum: config.quorum,
      graceMs: config.grace_ms ?? CONDITIONAL_DEFAULTS.graceMs,
    },
    unlabeledReward: config.unlabeled_reward,
    ...(config.reveal === 'always' && { reveal: config.reveal }),
    ...(config.on_finish === 'expire' && { onFinish: config.on_finish }),
    retentionMs: config.retention_ms,
    promptRetentionMs: config.prompt_retention_ms,
    watchdog: {
      silentAfterMs: config.watchdog.silent_after_ms,
      stalledAfterMs: config.watchdog.stalled_after_ms,
    },
    limits: { openBuckets: config.limits.open_buckets, heldRequests: config.limits.held_requests },
  };
}

/** What is left out is absent, as in a cohort that an older version wrote. */
function toAnswerSettings({ mode, pattern, reasoning, fallback }: CohortConfig['answers']): AnswerSettings {
  return {
    mode,
    pattern: pattern ?? null,
    ...(reasoning !== undefined && { reasoning }),
    ...(fallback !== 'none' && { fallback }),
  };
}

function toSupervision(config: CohortConfig, agents: readonly Agent[]): Supervision {
  switch (config.supervision ?? CONDITIONAL_DEFAULTS.supervision) {
    case 'ring':
      return { kind: 'ring', direction: config.ring ?? CONDITIONAL_DEFAULTS.ring };
    case 'peer-majority':
      return { kind: 'peer-majority' };
    case 'pooled':
      return { kind: 'pooled' };
    case 'adaptive':
      return { kind: 'adaptive', ...toAdaptiveRules(config.adaptive) };
    case 'graph': {
      const declared = new Map(Object.entries(config.teachers ?? {}));
      return {
        kind: 'graph',
        // Every agent has its own entry, since one may be called "constructor".
        teachers: Object.fromEntries(agents.map(({ name }) => [name, declared.get(name) ?? []])),
        aggregate: config.aggregate ?? CONDITIONAL_DEFAULTS.aggregate,
      };
    }
  }
}

/** The written form of a cohort, every setting explicit that it may have; parses back to an equal one. */
export function toCohortConfig(cohort: Cohort): CohortConfigSource {
  const { supervision, barrier, vote } = cohort;
  const options = toOptionsConfig(cohort);
  const learners = cohort.agents.filter(({ role }) => role === 'learner');
  return {
    agents: cohort.agents.map(({ name, k, view, role }) => ({ name, k, view, role })),
    method: cohort.method,
    ...(Object.keys(options).length > 0 && { options }),
    ...(cohort.method === 'co-rl' && { supervision: supervision.kind }),
    ...(cohort.method === 'co-rl' && supervision.kind === 'ring' && { ring: supervision.direction }),
    ...(supervision.kind === 'graph' && {
      teachers: Object.fromEntries(
        learners.map(({ name }) => [name, [...(supervision.teachers[name] ?? [])]]),
      ),
      aggregate: supervision.aggregate,
    }),
    ...(supervision.kind === 'adaptive' && {
      adaptive: toAdaptiveConfig(supervision, cohort.reliability),
    }),
    vote: {
      threshold: vote.threshold,
      denominator: vote.denominator,
      min_votes: vote.minVotes,
      tie: vote.tie,
      allow_empty_vote: vote.allowEmptyVote,
      weighting: cohort.weighting,
      include_own: cohort.includeOwn,
    },
    ...(supervision.kind !== 'adaptive' &&
      (cohort.weighting === 'dawid-skene' || cohort.reliability.minPosterior > 0) && {
        reliability: toReliabilityConfig(cohort.reliability),
      }),
    ...(VOTING_METHODS.includes(cohort.method) && { reward: toRewardConfig(cohort.reward) }),
    // The words entered through the schema, which lists them.
    answers: {
      mode: cohort.answers.mode as ExtractionMode,
      ...(cohort.answers.pattern !== null && { pattern: cohort.answers.pattern }),
      ...(cohort.answers.reasoning !== undefined && {
        reasoning: cohort.answers.reasoning as ReasoningPolicy,
      }),
      fallback: (cohort.answers.fallback ?? 'none') as Fallback,
    },
    barrier: barrier.mode,
    ...(barrier.mode === 'last-label' && { max_staleness: barrier.maxStaleness }),
    deadline_ms: barrier.deadlineMs,
    quorum: barrier.quorum,
    ...(barrier.quorum !== null && { grace_ms: barrier.graceMs }),
    unlabeled_reward: cohort.unlabeledReward,
    reveal: cohort.reveal ?? 'complete',
    ...(hasRing(cohort) && { on_finish: cohort.onFinish ?? 'close-ring' }),
    retention_ms: cohort.retentionMs,
    prompt_retention_ms: cohort.promptRetentionMs,
    watchdog: {
      silent_after_ms: cohort.watchdog.silentAfterMs,
      stalled_after_ms: cohort.watchdog.stalledAfterMs,
    },
    limits: { open_buckets: cohort.limits.openBuckets, held_requests: cohort.limits.heldRequests },
  };
}

/** Supervisions that are drawn as a ring, at least at first. */
function hasRing({ method, supervision }: Cohort): boolean {
  return method === 'co-rl' && (supervision.kind === 'ring' || supervision.kind === 'adaptive');
}
