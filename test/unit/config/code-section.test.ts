import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../../src/config/layer.ts';
import { type LoadInput, loadConfig } from '../../../src/config/load.ts';

function load(given: Partial<LoadInput>, file = '') {
  return loadConfig({ flags: { config: 'c.yaml' }, env: {}, readFile: () => file, ...given });
}

describe('the section code', () => {
  test('is set by flags, variables and a file, the former before the latter', () => {
    const loaded = load(
      {
        flags: { config: 'c.yaml', codeWorkers: '3', sandboxUrl: 'https://sandbox.example/v1' },
        env: { PEERVOTE_CODE_TIMEOUT_MS: '2000' },
      },
      'code: {workers: 9, timeout_ms: 9000, memory_mb: 128, integral_floats: distinct}',
    );
    expect(loaded.ok && loaded.config.code).toEqual({
      workers: 3,
      timeoutMs: 2_000,
      memoryBytes: 128 * 1_048_576,
      outputBytes: 65_536,
      queuePrograms: 10_000,
      unify: false,
      sandboxUrl: 'https://sandbox.example/v1',
    });
  });

  test('names what is wrong and where it was set', () => {
    const loaded = load({ flags: { sandboxUrl: 'sandbox:8080' }, env: { PEERVOTE_CODE_WORKERS: '0' } });
    expect(loaded.ok ? [] : formatProblems(loaded.problems).split('\n  ').slice(1)).toEqual([
      expect.stringMatching(/^--sandbox-url: code\.sandbox_url: expected http:/),
      expect.stringMatching(/^PEERVOTE_CODE_WORKERS: code\.workers: expected a whole number from 1 to 256/),
    ]);
  });
});
