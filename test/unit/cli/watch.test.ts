import { describe, expect, it } from 'vitest';
import type { CohortState, WatchView } from '../../../src/cli/watch/read-view.ts';
import { renderView, summarize } from '../../../src/cli/watch/render.ts';
import { formatAge, sparkline, tame, wrap } from '../../../src/cli/watch/terminal-text.ts';

const agent = (name: string, overrides: Partial<CohortState['agents'][number]> = {}) => ({
  name,
  role: 'learner' as const,
  k: 8,
  teachers: ['llama'],
  incarnation: null,
  finished: false,
  rollouts: 1024,
  last_arrival_ms_ago: 2_400,
  ...overrides,
});

function verdictOf(message: string, agents: string[] = ['llama']): CohortState['verdict'] {
  const finding = { code: 'silent_agent', severity: 'critical', since_ms_ago: 1_000, figures: {} } as const;
  return { severity: 'critical', findings: [{ ...finding, agents, message }] };
}

function viewOf(state: Partial<CohortState> = {}): Extract<WatchView, { kind: 'cohort' }> {
  return {
    kind: 'cohort',
    method: 'co-rl',
    state: {
      name: 'math',
      config: null,
      edition: 0,
      open_buckets: 12,
      held_requests: 3,
      agents: [
        agent('qwen'),
        agent('llama', { teachers: ['qwen'], rollouts: 96, last_arrival_ms_ago: null }),
        agent('gemma', { finished: true, teachers: [] }),
      ],
      waits: [{ agent: 'qwen', for: 'llama', prompts: 12, oldest_prompt_id: 'p1', oldest_age_ms: 340_000 }],
      plan: null,
      verdict: verdictOf('"llama" has never sent anything.'),
      ...state,
    },
    step: 41,
    curves: [
      { figure: 'reward_mean', subject: 'qwen', values: [0, 0.5, null, 1] },
      { figure: 'reward_mean', subject: 'llama', values: [0.25, 0.25] },
      { figure: 'agreement', subject: 'qwen, llama', values: [0.7] },
    ],
  };
}

const PLAIN = { columns: 100, colors: false };

describe('a picture of a cohort', () => {
  it('tells what is wrong, who waits for whom and since when, and the course of its figures', () => {
    expect(renderView(viewOf(), PLAIN)).toEqual([
      'math (co-rl)  12 open  3 held here  step 41',
      '',
      '"llama" has never sent anything.',
      '',
      'agent  last seen     rollouts  k  learns from  waits for',
      'qwen   2 s ago           1024  8  llama        llama: 12 prompts, 5 min',
      'llama  never               96  8  qwen         -',
      'gemma  has finished      1024  8  -            -',
      '',
      'reward     qwen         1.000  ▁▅ █',
      '           llama        0.250  ▄▄',
      'agreement  qwen, llama  0.700  ▄',
    ]);
  });

  it('is no wider than the terminal, whatever the names and sentences', () => {
    const message = `${'very '.repeat(60)}${'l'.repeat(300)}ong`;
    const verdict = verdictOf(message);
    for (const columns of [10, 40, 100]) {
      for (const line of renderView(viewOf({ verdict }), { columns, colors: false })) {
        expect(line.length).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('moves no cursor and changes no colour by what others wrote', () => {
    const message = 'prompt "\u001b[2J\u001b]0;title\u0007\u202e\r\nq"';
    const view = viewOf({
      name: 'm\u001b[31m',
      verdict: verdictOf(message, ['\u009b']),
    });
    const text = [...renderView(view, PLAIN), summarize(view)].join('');
    expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('has colours where they are wanted only', () => {
    expect(renderView(viewOf(), { columns: 100, colors: true }).join('')).toContain('\u001b[31m');
    expect(renderView(viewOf(), PLAIN).join('')).not.toContain('\u001b');
  });

  it('is the same in one line while nothing but time goes on', () => {
    const later = viewOf({ waits: [{ ...(viewOf().state.waits[0] ?? fail()), oldest_age_ms: 999_000 }] });
    expect(summarize(viewOf())).toBe(
      'math: 2144 rollouts, 12 open, 3 held; qwen waits for llama on 12; silent_agent (llama)',
    );
    expect(summarize(later)).toBe(summarize(viewOf()));
    expect(summarize(viewOf({ open_buckets: 13 }))).not.toBe(summarize(viewOf()));
  });
});

describe('a picture of many cohorts', () => {
  it('lists them, with the sentences about those with findings', () => {
    const cohorts = [
      { name: 'math', method: 'co-rl', agents: 2, findings: 1 },
      { name: 'code', method: 'ttrl', agents: 12, findings: 0 },
    ];
    const view = {
      kind: 'cohorts',
      cohorts,
      findings: [{ cohort: 'math', severity: 'critical', message: 'Nobody can move.' }],
    } as const;
    expect(renderView(view, PLAIN)).toEqual([
      'math: Nobody can move.',
      '',
      'cohort  method  agents  findings',
      'math    co-rl        2         1',
      'code    ttrl        12         -',
      '',
      'One of them: --cohort NAME',
    ]);
    expect(summarize(view)).toBe('2 cohorts, 1 finding');
    expect(renderView({ kind: 'cohorts', cohorts: [], findings: [] }, PLAIN)).toEqual([
      'There is no cohort yet: PUT /v1/cohorts/{cohort} makes one.',
    ]);
  });
});

describe('text for a terminal', () => {
  it('is wrapped at words, and shows ages and courses in little room', () => {
    expect(wrap('one two  three', 7)).toEqual(['one two', 'three']);
    expect([0, 59_000, 119_000, 120_000, 7_199_000, 7_200_000].map(formatAge)).toEqual([
      '0 s',
      '59 s',
      '119 s',
      '2 min',
      '119 min',
      '2 h',
    ]);
    expect(sparkline([])).toBe('');
    expect(sparkline([null, 1, 2])).toBe(' ▁█');
    expect(tame('a\tb')).toBe('a\ufffdb');
  });
});

function fail(): never {
  throw new Error('the view has no wait');
}
