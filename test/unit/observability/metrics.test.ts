import { expect, it } from 'vitest';
import { Metrics } from '../../../src/observability/metrics.ts';

it('replacements of workers are counted by reason, each from 0 on', async () => {
  const metrics = new Metrics();
  metrics.workerReplaced('canary');
  const text = await metrics.registry.metrics();
  const counts = text.match(/^peervote_code_workers_replaced_total\{.*$/gm);
  expect(counts?.sort()).toEqual(
    ['canary', 'crashed', 'start', 'suspect', 'timeout'].map(
      (reason) => `peervote_code_workers_replaced_total{reason="${reason}"} ${reason === 'canary' ? 1 : 0}`,
    ),
  );
});
