import type { Dashboard } from './panel.ts';

/** What a platform engineer watches: the processes and what they stand on. */
export const SERVICE: Dashboard = {
  uid: 'peervote-service',
  title: 'PeerVote: service',
  about: 'HTTP, held requests, buckets, Redis and memory of all replicas.',
  variables: [{ name: 'window', label: 'Window', choices: ['5m', '1m', '15m', '1h'] }],
  panels: [
    {
      title: 'Requests',
      about: 'By route. A request that is held counts when it is answered.',
      unit: 'reqps',
      queries: [['sum by (route) (rate(peervote_http_request_seconds_count[$window]))', '{{route}}']],
    },
    {
      title: 'Answers other than 2xx',
      about:
        '503 is how clients without a poll are told to come again, and normal while peers are slow. Others are not.',
      unit: 'reqps',
      queries: [
        [
          'sum by (status) (rate(peervote_http_request_seconds_count{status!~"2.."}[$window])) or on() vector(0)',
          '{{status}}',
        ],
      ],
    },
    {
      title: 'Time to answer',
      about: 'Waits at the barrier included, so that it follows the slowest trainer.',
      unit: 's',
      queries: [
        [
          'histogram_quantile(0.5, sum by (le, route) (rate(peervote_http_request_seconds_bucket[$window])))',
          '{{route}} median',
        ],
        [
          'histogram_quantile(0.99, sum by (le, route) (rate(peervote_http_request_seconds_bucket[$window])))',
          '{{route}} 99 %',
        ],
      ],
    },
    {
      title: 'Held requests',
      about: 'Parked at the barrier. Each costs 11 to 17 kB.',
      unit: 'short',
      queries: [['sum by (cohort) (peervote_held_requests)', '{{cohort}}']],
    },
    {
      title: 'Open buckets',
      about: 'Prompts with an undecided group.',
      unit: 'short',
      queries: [['max by (cohort) (peervote_open_buckets)', '{{cohort}}']],
    },
    {
      title: 'Rollouts received',
      about: 'By cohort, repeats included.',
      unit: 'ops',
      queries: [['sum by (cohort) (rate(peervote_rollouts_received_total[$window]))', '{{cohort}}']],
    },
    {
      title: 'Replicas with Redis',
      about: 'How many replicas reach their Redis, of how many.',
      unit: 'short',
      queries: [
        ['sum(peervote_redis_up)', 'reach it'],
        ['count(peervote_redis_up)', 'replicas'],
      ],
    },
    {
      title: 'Round trips to Redis',
      about: 'Duration, and how many failed.',
      unit: 's',
      queries: [
        [
          'histogram_quantile(0.5, sum by (le) (rate(peervote_redis_round_trip_seconds_bucket[$window])))',
          'median',
        ],
        [
          'histogram_quantile(0.99, sum by (le) (rate(peervote_redis_round_trip_seconds_bucket[$window])))',
          '99 %',
        ],
      ],
    },
    {
      title: 'Calls to Redis',
      about: 'Scripts and commands.',
      unit: 'ops',
      queries: [['sum by (name) (rate(peervote_redis_calls_total[$window]))', '{{name}}']],
    },
    {
      title: 'Memory of Redis',
      about: 'Used memory, and keys that were thrown away: those have cost votes.',
      unit: 'bytes',
      queries: [
        ['max(peervote_redis_memory_bytes)', 'used'],
        ['max(peervote_redis_evicted_keys)', 'evicted keys'],
      ],
    },
    {
      title: 'Requests to the judge',
      about: 'By outcome; only with a judge (method llm-judge).',
      unit: 'reqps',
      queries: [['sum by (outcome) (rate(peervote_judge_request_seconds_count[$window]))', '{{outcome}}']],
    },
    {
      title: 'Time that the judge takes',
      about: 'Of one request, retries one by one.',
      unit: 's',
      queries: [
        [
          'histogram_quantile(0.5, sum by (le) (rate(peervote_judge_request_seconds_bucket[$window])))',
          'median',
        ],
        [
          'histogram_quantile(0.99, sum by (le) (rate(peervote_judge_request_seconds_bucket[$window])))',
          '99 %',
        ],
      ],
    },
    {
      title: 'Verdicts of the judge',
      about: 'By where they come from and what they are; a fault is a rollout without a reward.',
      unit: 'ops',
      queries: [
        [
          'sum by (cohort, source, result) (rate(peervote_judge_verdicts_total[$window]))',
          '{{cohort}} {{source}} {{result}}',
        ],
      ],
    },
    {
      title: 'Judge: queue and budget',
      about: 'Completions that wait for their turn, and the least that a replica has left to spend.',
      unit: 'short',
      queries: [
        ['sum(peervote_judge_queued)', 'queued'],
        ['min by (unit) (peervote_judge_budget_left)', '{{unit}} left'],
      ],
    },
    {
      title: 'Programs that run',
      about: 'Jobs of the sandbox by outcome, and programs that wait; only where answers are programs.',
      unit: 'ops',
      queries: [
        ['sum by (job, outcome) (rate(peervote_code_run_seconds_count[$window]))', '{{job}} {{outcome}}'],
        ['sum(peervote_code_programs_pending)', 'waiting'],
      ],
    },
    {
      title: 'Replaced workers of the sandbox',
      about: 'By reason. Time-outs are usual; anything else is a program that attacked, or a fault.',
      unit: 'short',
      queries: [['sum by (reason) (increase(peervote_code_workers_replaced_total[$window]))', '{{reason}}']],
    },
    {
      title: 'Time that a program takes',
      about: 'In the sandbox, without its wait for a worker.',
      unit: 's',
      queries: [
        ['histogram_quantile(0.5, sum by (le) (rate(peervote_code_run_seconds_bucket[$window])))', 'median'],
        ['histogram_quantile(0.99, sum by (le) (rate(peervote_code_run_seconds_bucket[$window])))', '99 %'],
      ],
    },
    {
      title: 'Memory of the replicas',
      about: 'Resident, and what V8 uses of its heap.',
      unit: 'bytes',
      queries: [
        ['process_resident_memory_bytes and on (instance) nodejs_version_info', '{{instance}} resident'],
        ['nodejs_heap_size_used_bytes', '{{instance}} heap'],
      ],
    },
    {
      title: 'Event loop',
      about: 'How late it is; above some 50 ms everyone waits.',
      unit: 's',
      queries: [['nodejs_eventloop_lag_p99_seconds', '{{instance}} 99 %']],
    },
    {
      title: 'CPU',
      about: 'Of one core. A replica uses little more than one.',
      unit: 'percentunit',
      queries: [
        ['rate(process_cpu_seconds_total[$window]) and on (instance) nodejs_version_info', '{{instance}}'],
      ],
    },
  ],
};
