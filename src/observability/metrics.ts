import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Cohort } from '../domain/cohort.ts';
import { REPLACEMENT_REASONS, type ReplacementReason } from '../domain/sandbox.ts';
import { FINDING_CODES, FINDINGS, type FindingCode } from '../domain/verdict/findings-table.ts';
import type { CodeTelemetry } from '../service/code/code-assessor.ts';
import type { Telemetry } from '../service/telemetry.ts';
import { firstValues } from './first-values.ts';
import { METRICS, type MetricName } from './metrics-table.ts';

type NamesOf<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

/** What is going on with the judge; null: without a limit. */
export interface JudgeState {
  readonly queued: number;
  readonly requestsLeft: number | null;
  readonly tokensLeft: number | null;
}

/** What gauges are read from when Prometheus asks. */
export interface GaugeSources {
  readonly cohorts: () => Promise<readonly Cohort[]>;
  readonly openBuckets: (cohort: string) => Promise<number>;
  readonly held: (cohort: string) => number;
  /** What is wrong with a cohort now. */
  readonly findings: (cohort: string) => readonly { readonly code: FindingCode }[];
  /** Programs that wait for the sandbox or run. */
  readonly programsPending: () => number;
  /** Null where there is no Redis. */
  readonly redisUp: () => boolean | null;
  /** Null where there is no judge. */
  readonly judge: () => JudgeState | null;
  /** Null where there is no Redis, or it does not tell. */
  readonly redisMemory: () => Promise<{ readonly usedBytes: number; readonly evictedKeys: number } | null>;
  /** Agents that others wait for, and for how long. */
  readonly awaited: (
    cohort: string,
  ) => readonly { readonly agent: string; readonly prompts: number; readonly seconds: number }[];
}

/** The registry of one process: every metric of the table, and Node's own. */
export class Metrics implements Telemetry, CodeTelemetry {
  readonly registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  /** The cohorts whose series are there, with the shape that these were made for. */
  readonly #begun = new Map<string, string>();

  constructor() {
    const registers = [this.registry];
    for (const [name, spec] of Object.entries(METRICS)) {
      const base = { name, help: spec.help, labelNames: spec.labels, registers };
      if (spec.type === 'counter') this.#counters.set(name, new Counter(base));
      else if (spec.type === 'gauge') this.#gauges.set(name, new Gauge(base));
      else this.#histograms.set(name, new Histogram({ ...base, buckets: [...spec.buckets] }));
    }
    collectDefaultMetrics({ register: this.registry });
    // A series that begins with its first increment hides it from `increase`.
    for (const reason of REPLACEMENT_REASONS)
      this.#add('peervote_code_workers_replaced_total', { reason }, 0);
  }

  /** The exposition text; gauges are read now. */
  async expose(sources: GaugeSources): Promise<string> {
    for (const gauge of this.#gauges.values()) gauge.reset();
    const redisUp = sources.redisUp();
    if (redisUp === null) this.#gauges.get('peervote_redis_up')?.remove();
    else this.#set('peervote_redis_up', {}, Number(redisUp));
    this.#showJudge(sources.judge());
    this.#set('peervote_code_programs_pending', {}, sources.programsPending());
    await this.#setMemory(sources);
    const cohorts = await unlessAway(() => sources.cohorts(), null);
    if (cohorts !== null) await this.#follow(cohorts, sources.judge() !== null);
    for (const { name: cohort } of cohorts ?? []) {
      const open = await unlessAway(() => sources.openBuckets(cohort), null);
      if (open !== null) this.#set('peervote_open_buckets', { cohort }, open);
      this.#set('peervote_held_requests', { cohort }, sources.held(cohort));
      for (const { agent, prompts, seconds } of sources.awaited(cohort)) {
        this.#set('peervote_awaited_prompts', { cohort, agent }, prompts);
        this.#set('peervote_awaited_seconds', { cohort, agent }, seconds);
      }
      const found = sources.findings(cohort);
      for (const code of FINDING_CODES) {
        const count = found.filter((finding) => finding.code === code).length;
        this.#set('peervote_findings', { cohort, code, severity: FINDINGS[code].severity }, count);
      }
    }
    return this.registry.metrics();
  }

  /** On every replica alike, whoever made or deleted a cohort. */
  async #follow(cohorts: readonly Cohort[], hasJudge: boolean): Promise<void> {
    let taken: Map<string, Set<string>> | null = null;
    for (const cohort of cohorts) {
      const { name, agents, method, supervision } = cohort;
      const shape = JSON.stringify([agents.map((agent) => agent.name), method, supervision.kind]);
      if (this.#begun.get(name) === shape) continue;
      this.#begun.set(name, shape);
      for (const [metric, labels] of firstValues(cohort, hasJudge)) {
        this.#counters.get(metric)?.inc(labels, 0);
        const histogram = this.#histograms.get(metric);
        if (histogram === undefined) continue;
        taken ??= await takenBy(this.#histograms);
        // Of one that is there already it would take what it holds.
        if (taken.get(metric)?.has(keyOf(metric, labels)) !== true) histogram.zero({ ...labels });
      }
    }
    const there = new Set(cohorts.map(({ name }) => name));
    for (const name of this.#begun.keys()) if (!there.has(name)) await this.forget(name);
  }

  async #setMemory(sources: GaugeSources): Promise<void> {
    const memory = await sources.redisMemory();
    if (memory === null) {
      this.#gauges.get('peervote_redis_memory_bytes')?.remove();
      this.#gauges.get('peervote_redis_evicted_keys')?.remove();
      return;
    }
    this.#set('peervote_redis_memory_bytes', {}, memory.usedBytes);
    this.#set('peervote_redis_evicted_keys', {}, memory.evictedKeys);
  }

  observeRequest(labels: { method: string; route: string; status: string }, seconds: number): void {
    this.#observe('peervote_http_request_seconds', labels, seconds);
  }

  /** One round trip to Redis with these calls. */
  observeRedis(calls: readonly string[], seconds: number, ok: boolean): void {
    this.#observe('peervote_redis_round_trip_seconds', { outcome: ok ? 'answered' : 'failed' }, seconds);
    for (const name of calls) this.#add('peervote_redis_calls_total', { name }, 1);
  }

  /** One request to the judge has ended. */
  observeJudge(outcome: string, seconds: number): void {
    this.#observe('peervote_judge_request_seconds', { outcome }, seconds);
  }

  judged(cohort: string, source: string, result: string): void {
    this.#add('peervote_judge_verdicts_total', { cohort, source, result }, 1);
  }

  codeRan({ job, outcome, seconds }: Parameters<CodeTelemetry['codeRan']>[0]): void {
    this.#observe('peervote_code_run_seconds', { job, outcome }, seconds);
  }

  /** A worker of the sandbox was replaced. */
  workerReplaced(reason: ReplacementReason): void {
    this.#add('peervote_code_workers_replaced_total', { reason }, 1);
  }

  groupSettled(group: Parameters<Telemetry['groupSettled']>[0]): void {
    const by = { cohort: group.cohort, agent: group.agent };
    this.#add('peervote_groups_settled_total', { ...by, status: group.status }, 1);
    this.#add('peervote_groups_labeled_total', { ...by, labeled: yesNo(group.labeled) }, 1);
    for (const reward of group.rewards) this.#observe('peervote_reward', by, reward);
    if (group.rewards.length > 0) this.#observe('peervote_reward_std_within', by, deviation(group.rewards));
    if (group.labelCorrect !== null) {
      this.#add('peervote_labels_graded_total', { ...by, correct: yesNo(group.labelCorrect) }, 1);
    }
    if (group.usedLabelCorrect !== null) {
      this.#add('peervote_used_labels_graded_total', { ...by, correct: yesNo(group.usedLabelCorrect) }, 1);
    }
    this.#add('peervote_votes_tied_total', by, Number(group.tied));
    this.#add('peervote_votes_unanimous_total', by, Number(group.unanimous));
    this.#add('peervote_answers_total', { ...by, answered: 'yes' }, group.answered);
    this.#add('peervote_answers_total', { ...by, answered: 'no' }, group.rollouts - group.answered);
    this.#add('peervote_completions_truncated_total', by, group.truncated);
    this.#add('peervote_completion_tokens_total', by, group.tokens.sum);
    this.#add('peervote_completions_measured_total', by, group.tokens.count);
  }

  pairCompared({ cohort, agent, peer, agree, chance }: Parameters<Telemetry['pairCompared']>[0]): void {
    const by = { cohort, agent, peer };
    this.#add('peervote_agreement_total', { ...by, agree: yesNo(agree) }, 1);
    this.#add('peervote_chance_agreement_total', { ...by, agree: 'yes' }, chance.same);
    this.#add('peervote_chance_agreement_total', { ...by, agree: 'no' }, chance.compared - chance.same);
  }

  labelsLookedAt({ cohort, agent, commonest, distinct }: Parameters<Telemetry['labelsLookedAt']>[0]): void {
    this.#observe('peervote_commonest_label_share', { cohort, agent }, commonest);
    this.#observe('peervote_distinct_label_share', { cohort, agent }, distinct);
  }

  pairGraded({ cohort, agent, peer, outcome }: Parameters<Telemetry['pairGraded']>[0]): void {
    this.#add('peervote_pairs_graded_total', { cohort, agent, peer, outcome }, 1);
  }

  waited({ cohort, agent, outcome, ms }: Parameters<Telemetry['waited']>[0]): void {
    this.#observe('peervote_barrier_wait_seconds', { cohort, agent, outcome }, ms / 1000);
  }

  stored({ cohort, agent, split, count }: Parameters<Telemetry['stored']>[0]): void {
    if (count > 0) this.#add('peervote_rollouts_received_total', { cohort, agent, split }, count);
  }

  evaluated({ cohort, agent, right, wrong }: Parameters<Telemetry['evaluated']>[0]): void {
    this.#add('peervote_eval_answers_graded_total', { cohort, agent, correct: 'yes' }, right);
    this.#add('peervote_eval_answers_graded_total', { cohort, agent, correct: 'no' }, wrong);
  }

  truthsUnread({ cohort, agent, count }: Parameters<Telemetry['truthsUnread']>[0]): void {
    this.#add('peervote_unreadable_truths_total', { cohort, agent }, count);
  }

  truthsDisputed({ cohort, agent, count }: Parameters<Telemetry['truthsDisputed']>[0]): void {
    this.#add('peervote_ground_truth_conflicts_total', { cohort, agent }, count);
  }

  groupClosed({ cohort, agent, state, cause }: Parameters<Telemetry['groupClosed']>[0]): void {
    this.#add('peervote_groups_decided_total', { cohort, agent, state, cause }, 1);
  }

  teacherChanged({ cohort, agent }: Parameters<Telemetry['teacherChanged']>[0]): void {
    this.#add('peervote_teacher_changes_total', { cohort, agent }, 1);
  }

  /** Series of a deleted cohort would otherwise stay for ever. */
  async forget(cohort: string): Promise<void> {
    this.#begun.delete(cohort);
    for (const metric of [...this.#counters.values(), ...this.#histograms.values()]) {
      const { values } = await metric.get();
      for (const { labels } of values) {
        if (labels.cohort !== cohort) continue;
        const { le: _bucket, ...series } = labels as Record<string, string | number>;
        metric.remove(series);
      }
    }
  }

  #showJudge(judge: JudgeState | null): void {
    if (judge === null) {
      this.#gauges.get('peervote_judge_queued')?.remove();
      return;
    }
    this.#set('peervote_judge_queued', {}, judge.queued);
    const left = { requests: judge.requestsLeft, tokens: judge.tokensLeft };
    for (const [unit, value] of Object.entries(left)) {
      if (value !== null) this.#set('peervote_judge_budget_left', { unit }, value);
    }
  }

  #add(name: NamesOf<'counter'>, labels: Record<string, string>, value: number): void {
    this.#counters.get(name)?.inc(labels, value);
  }

  #set(name: NamesOf<'gauge'>, labels: Record<string, string>, value: number): void {
    this.#gauges.get(name)?.set(labels, value);
  }

  #observe(name: NamesOf<'histogram'>, labels: Record<string, string>, value: number): void {
    this.#histograms.get(name)?.observe(labels, value);
  }
}

/** The series that each histogram has. */
async function takenBy(histograms: ReadonlyMap<string, Histogram>): Promise<Map<string, Set<string>>> {
  const taken = new Map<string, Set<string>>();
  for (const [name, histogram] of histograms) {
    const { values } = await histogram.get();
    taken.set(name, new Set(values.map(({ labels }) => keyOf(name as MetricName, labels))));
  }
  return taken;
}

function keyOf(name: MetricName, labels: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(METRICS[name].labels.map((label) => labels[label]));
}

/** That the store is away is no reason to tell nothing at all. */
async function unlessAway<T, Otherwise>(ask: () => Promise<T>, otherwise: Otherwise): Promise<T | Otherwise> {
  try {
    return await ask();
  } catch {
    return otherwise;
  }
}

function yesNo(value: boolean): 'yes' | 'no' {
  return value ? 'yes' : 'no';
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
