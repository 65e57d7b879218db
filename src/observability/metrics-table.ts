interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

/** Barrier waits run from milliseconds to an hour. */
const WAIT_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1200, 3600];
const HTTP_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120];
const JUDGE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120];
const ROUND_TRIP_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const PROGRAM_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 4, 10, 30];
const REWARD_BUCKETS = [-1, 0, 0.25, 0.5, 0.75, 1];
const SHARE_BUCKETS = [0.2, 0.5, 0.8, 1];
const STD_BUCKETS = [0, 0.1, 0.2, 0.3, 0.4, 0.5];

/**
 * Every metric of the service, once. docs/metrics.md lists the same, and a test holds both together.
 * Counters and histograms are each counted by one replica: sum them. Labels are bounded: never a prompt.
 */
export const METRICS = {
  peervote_barrier_wait_seconds: {
    type: 'histogram',
    help: 'Time from recording a submission to its answer, by outcome: decided, pending, aborted, drained.',
    labels: ['cohort', 'agent', 'outcome'],
    buckets: WAIT_BUCKETS,
  },
  peervote_held_requests: {
    type: 'gauge',
    help: 'Requests of this replica that are parked at the barrier. Sum over replicas.',
    labels: ['cohort'],
  },
  peervote_open_buckets: {
    type: 'gauge',
    help: 'Prompts with an undecided group. The same on every replica of one store: take the maximum.',
    labels: ['cohort'],
  },
  peervote_rollouts_received_total: {
    type: 'counter',
    help: 'Rollouts received, repeats included.',
    labels: ['cohort', 'agent', 'split'],
  },
  peervote_unreadable_truths_total: {
    type: 'counter',
    help: 'Groups received whose ground truth does not read as an answer, repeats included: nothing is graded by it, or only its own spelling is right.',
    labels: ['cohort', 'agent'],
  },
  peervote_ground_truth_conflicts_total: {
    type: 'counter',
    help: 'Groups stored whose ground truth contradicts the one that came first for the prompt, repeats included. The first is what figures are made of; no reward is.',
    labels: ['cohort', 'agent'],
  },
  peervote_groups_decided_total: {
    type: 'counter',
    help: 'Groups decided, by state (complete, partial, empty) and cause (k, quorum, skip, finish, deadline).',
    labels: ['cohort', 'agent', 'state', 'cause'],
  },
  peervote_groups_settled_total: {
    type: 'counter',
    help: "Groups whose rewards are fixed, by status: scored, unlabeled, expired, skipped. The denominator of an agent's rates.",
    labels: ['cohort', 'agent', 'status'],
  },
  peervote_reward: {
    type: 'histogram',
    help: 'Rewards of the rollouts of settled groups; _sum over _count is the mean. Null rewards are not counted.',
    labels: ['cohort', 'agent'],
    buckets: REWARD_BUCKETS,
  },
  peervote_reward_std_within: {
    type: 'histogram',
    help: 'Population standard deviation of the rewards within a settled group; 0 gives no gradient.',
    labels: ['cohort', 'agent'],
    buckets: STD_BUCKETS,
  },
  peervote_groups_labeled_total: {
    type: 'counter',
    help: "Settled groups by what the agent's own vote gave: yes or no label. Label coverage.",
    labels: ['cohort', 'agent', 'labeled'],
  },
  peervote_labels_graded_total: {
    type: 'counter',
    help: "The agent's own labels where ground truth is known, right or wrong. Label accuracy; never used in rewards.",
    labels: ['cohort', 'agent', 'correct'],
  },
  peervote_used_labels_graded_total: {
    type: 'counter',
    help: "Settled groups by whether the label that their rewards rest on, the teachers' or the pool's, equals the ground truth. Never used in rewards.",
    labels: ['cohort', 'agent', 'correct'],
  },
  peervote_eval_answers_graded_total: {
    type: 'counter',
    help: 'Rollouts of evaluation that were graded, right or wrong; one that is sent again counts again.',
    labels: ['cohort', 'agent', 'correct'],
  },
  peervote_votes_tied_total: {
    type: 'counter',
    help: 'Settled groups whose top vote count was shared.',
    labels: ['cohort', 'agent'],
  },
  peervote_votes_unanimous_total: {
    type: 'counter',
    help: 'Settled groups whose rollouts all gave the same answer.',
    labels: ['cohort', 'agent'],
  },
  peervote_answers_total: {
    type: 'counter',
    help: 'Rollouts of settled groups, by whether an answer was found in them.',
    labels: ['cohort', 'agent', 'answered'],
  },
  peervote_completions_truncated_total: {
    type: 'counter',
    help: 'Rollouts of settled groups that the length limit cut off.',
    labels: ['cohort', 'agent'],
  },
  peervote_completion_tokens_total: {
    type: 'counter',
    help: 'Tokens of the completions counted by peervote_completions_measured_total.',
    labels: ['cohort', 'agent'],
  },
  peervote_completions_measured_total: {
    type: 'counter',
    help: 'Rollouts of settled groups that said how many tokens they have.',
    labels: ['cohort', 'agent'],
  },
  peervote_agreement_total: {
    type: 'counter',
    help: 'Prompts on which both agents have a label, by whether it is the same. Pairwise agreement.',
    labels: ['cohort', 'agent', 'peer', 'agree'],
  },
  peervote_chance_agreement_total: {
    type: 'counter',
    help: "Labels of two agents on different prompts, each against the other's last 32, by whether they are the same: the agreement that chance would give.",
    labels: ['cohort', 'agent', 'peer', 'agree'],
  },
  peervote_commonest_label_share: {
    type: 'histogram',
    help: "Share of the commonest label among an agent's latest 100, at each of its labels; near 1 it says the same to everything.",
    labels: ['cohort', 'agent'],
    buckets: SHARE_BUCKETS,
  },
  peervote_distinct_label_share: {
    type: 'histogram',
    help: "Different labels among an agent's latest 100 over their number, at each of its labels.",
    labels: ['cohort', 'agent'],
    buckets: SHARE_BUCKETS,
  },
  peervote_pairs_graded_total: {
    type: 'counter',
    help: 'Prompts with ground truth that both agents had a vote on, by which of their labels equal it: both_right, agent_right, peer_right, both_wrong_same, both_wrong. Complementarity is the share of agent_right and peer_right.',
    labels: ['cohort', 'agent', 'peer', 'outcome'],
  },
  peervote_teacher_changes_total: {
    type: 'counter',
    help: 'Changes of the teacher of an agent, under supervision adaptive: chosen, or set by a person.',
    labels: ['cohort', 'agent'],
  },
  peervote_awaited_prompts: {
    type: 'gauge',
    help: 'Prompts on which others wait for this agent, seen at the last look. The same on every replica: take the maximum.',
    labels: ['cohort', 'agent'],
  },
  peervote_awaited_seconds: {
    type: 'gauge',
    help: 'How long the oldest of these prompts has been waited for. Take the maximum over replicas.',
    labels: ['cohort', 'agent'],
  },
  peervote_findings: {
    type: 'gauge',
    help: 'What is wrong now, by code and severity (docs/findings.md); 0 for every code that is not. Take the maximum over replicas.',
    labels: ['cohort', 'code', 'severity'],
  },
  peervote_judge_verdicts_total: {
    type: 'counter',
    help: 'Verdicts of the judge, by source (asked, joined, cache) and result: score or fault.',
    labels: ['cohort', 'source', 'result'],
  },
  peervote_judge_request_seconds: {
    type: 'histogram',
    help: 'Duration of requests to the judge, retries one by one, by outcome: answered, or why not.',
    labels: ['outcome'],
    buckets: JUDGE_BUCKETS,
  },
  peervote_judge_queued: {
    type: 'gauge',
    help: 'Completions that wait for their turn with the judge. Absent without a judge.',
    labels: [],
  },
  peervote_judge_budget_left: {
    type: 'gauge',
    help: 'What this process may still spend on the judge, by unit: requests, tokens. Absent where there is no limit.',
    labels: ['unit'],
  },
  peervote_code_run_seconds: {
    type: 'histogram',
    help: 'Time that the sandbox took for a job, by job (plan, run, test) and outcome: ok, error (every call failed), passed, failed, fault (no such calls or tests), timeout, overflow, silent, ended, crashed.',
    labels: ['job', 'outcome'],
    buckets: PROGRAM_BUCKETS,
  },
  peervote_code_programs_pending: {
    type: 'gauge',
    help: 'Programs of this replica that wait for the sandbox or run. Sum over replicas.',
    labels: [],
  },
  peervote_code_workers_replaced_total: {
    type: 'counter',
    help: 'Workers of the sandbox that were replaced, by reason: timeout, suspect (it was asked for what no honest program asks for, or ended oddly), canary (it judged a known program wrongly), crashed, start (it did not start).',
    labels: ['reason'],
  },
  peervote_http_request_seconds: {
    type: 'histogram',
    help: 'Duration of HTTP requests, waits included.',
    labels: ['method', 'route', 'status'],
    buckets: HTTP_BUCKETS,
  },
  peervote_redis_up: {
    type: 'gauge',
    help: 'Whether this replica has a Redis that answers: 1 or 0. Absent on the embedded store.',
    labels: [],
  },
  peervote_redis_memory_bytes: {
    type: 'gauge',
    help: 'Memory that Redis uses, all that lies in it included; of a cluster, that of one node. Absent where it does not tell.',
    labels: [],
  },
  peervote_redis_evicted_keys: {
    type: 'gauge',
    help: 'Keys that Redis threw away for lack of memory since it was started. Anything above 0 has cost votes.',
    labels: [],
  },
  peervote_redis_round_trip_seconds: {
    type: 'histogram',
    help: 'Duration of round trips to Redis, each with one or more calls, by outcome: answered, failed.',
    labels: ['outcome'],
    buckets: ROUND_TRIP_BUCKETS,
  },
  peervote_redis_calls_total: {
    type: 'counter',
    help: 'Scripts and commands sent to Redis, by name.',
    labels: ['name'],
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;
