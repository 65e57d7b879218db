import { describe, expect, it } from 'vitest';
import { parseSource, toAgentName } from '../../../../src/cli/rollouts/source.ts';

describe('a file of rollouts', () => {
  it.each([
    ['qwen=dumps/7.jsonl', 'dumps/7.jsonl', 'qwen', 'dumps'],
    ['runs/qwen/40.jsonl', 'runs/qwen/40.jsonl', null, 'qwen'],
    ['samples_gsm8k.jsonl.gz', 'samples_gsm8k.jsonl.gz', null, 'samples_gsm8k'],
    ['-', '-', null, 'stdin'],
    ['./a b=c/x.jsonl', './a b=c/x.jsonl', null, 'x'],
  ])('%s is read from %s for %s, else for %s', (text, path, agent, fallback) => {
    expect(parseSource(text)).toEqual({ path, agent, fallback });
  });

  it('gives a model a name that cohorts accept', () => {
    expect(toAgentName('Qwen/Qwen3-0.6B')).toBe('Qwen-Qwen3-0.6B');
    expect(toAgentName('__init__')).toBe('init__');
    expect(toAgentName('模型')).toBe('agent');
    expect(toAgentName('x'.repeat(80))).toHaveLength(64);
  });
});
