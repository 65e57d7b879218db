export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A request that the server understands, before anything is done to it. */
export interface Template {
  readonly method: string;
  readonly path: string;
  /** Null: none. */
  readonly body: Json;
}

/** At most: what is fuzzed is not how long a wait is. */
const WAIT = 'wait=0.05';

/** One of every operation, on agents `a` and `b` of this cohort. */
export function templatesFor(cohort: string, prompt: string): readonly Template[] {
  const own = `/v1/cohorts/${cohort}`;
  const agent = `${own}/agents/a`;
  const asks: readonly (readonly [method: string, path: string, body: Json])[] = [
    ['POST', `${agent}/rollouts?${WAIT}`, submission(prompt)],
    ['POST', `${own}/agents/b/rollouts?${WAIT}`, submission(prompt)],
    ['POST', `${agent}/rollouts?${WAIT}`, codeSubmission(prompt)],
    ['GET', `${agent}/submissions/s?${WAIT}`, null],
    ['POST', `${agent}/skip`, { step: 1, prompts: [{ prompt_id: prompt, round: 0 }] }],
    ['POST', `${agent}/finish`, {}],
    ['POST', `/openrlhf/${cohort}/a`, openRlhf(prompt)],
    ['POST', `/slime/${cohort}/a`, { prompt, response: '\\boxed{4}', label: `{"pid": "${prompt}"}` }],
    ['POST', `/roll/${cohort}/a/submit_task`, rollTask(prompt)],
    ['GET', `/roll/${cohort}/a/task_result?reward_request_id=x`, { reward_request_id: 'x' }],
    // Another cohort: what is deleted cannot be attacked.
    ['PUT', `${own}-2`, cohortDraft()],
    ['GET', own, null],
    ['DELETE', `${own}-2`, null],
    ['PUT', `${own}/plan`, { teachers: { a: ['b'], b: ['a'] } }],
    ['DELETE', `${own}/plan`, null],
    ['PUT', `${own}/prompts`, { prompt_id: prompt, text: 'What is 2 + 2?', aliases: ['2 + 2'] }],
    ['DELETE', `${own}/prompts`, null],
    ['POST', '/v1/extract', { items: [{ completion: '\\boxed{4}', mode: 'auto' }] }],
    ['POST', '/v1/grade', { items: [{ answer: '\\frac{1}{2}', ground_truth: '0.5' }] }],
    ['POST', '/v1/vote', { answers: ['4', '4', '5'], tie: 'first' }],
    ...READS.map((read): readonly [string, string, Json] => ['GET', `${own}/${read}`, null]),
    ...['/', '/healthz', '/readyz', '/metrics', '/docs', '/openapi.json', '/v1/cohorts'].map(
      (path): readonly [string, string, Json] => ['GET', path, null],
    ),
  ];
  return asks.map(([method, path, body]) => ({ method, path, body }));
}

const READS = ['prompts', 'ema', 'buckets', 'buckets/p', 'diagnostics', 'samples', 'recent', 'events'];

function submission(prompt: string): Json {
  return {
    submission_id: 's',
    step: 1,
    split: 'train',
    incarnation: null,
    groups: [
      {
        prompt_id: prompt,
        round: 0,
        task: 'math',
        mode: 'auto',
        ground_truth: ['4', 4],
        choices: ['4', '5'],
        rollouts: [
          { id: 'r', index: 0, completion: 'So \\boxed{4}.', tokens: 3, truncated: false },
          { id: 'q', index: 1, answer: '4', token_entropies: [0.1, 0.2] },
        ],
      },
    ],
  };
}

function codeSubmission(prompt: string): Json {
  const code = '```python\ndef f(x):\n    return x + 1\n```';
  return {
    groups: [
      {
        prompt_id: `${prompt}-code`,
        task: 'code',
        entry_point: 'f',
        inputs: [[1], { args: [2], kwargs: {} }, '(3,)'],
        rollouts: [{ index: 0, completion: code }],
      },
    ],
  };
}

function openRlhf(prompt: string): Json {
  const label = { pid: prompt, answer: ['4'], round: 0, step: 1, split: 'train', task: 'math' };
  return {
    query: ['What is 2 + 2? \\boxed{4}'],
    prompts: ['What is 2 + 2? '],
    labels: [JSON.stringify(label)],
  };
}

function rollTask(prompt: string): Json {
  const task = { priority: 1, project_id: 'x', experiment_id: 'y', global_step: 3, data_id: prompt };
  return { ...task, rollout_id: 'r', prompt: '2 + 2?', response: '4', reward_info: { ground_truth: '4' } };
}

function cohortDraft(): Json {
  return {
    agents: ['a', { name: 'b', k: 2 }],
    k: 2,
    supervision: 'graph',
    teachers: { a: ['b'], b: ['a'] },
    vote: { tie: 'first', threshold: 0.5 },
    answers: { mode: 'auto' },
  };
}
