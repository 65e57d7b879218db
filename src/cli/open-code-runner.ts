import type { CodeConfig } from '../config/code-schema.ts';
import { FusionRunner } from '../external/sandbox/fusion-runner.ts';
import { WorkerPool, type WorkerPoolOptions } from '../external/sandbox/worker-pool.ts';

/** Where programs run, by the configuration. Nothing starts before the first program. */
export function openCodeRunner(
  config: CodeConfig,
  events: Required<Pick<WorkerPoolOptions, 'onReplaced' | 'onOpened'>>,
): WorkerPool | FusionRunner {
  const { workers, timeoutMs, memoryBytes, outputBytes, sandboxUrl } = config;
  const pool = new WorkerPool({ workers, timeoutMs, limits: { memoryBytes, outputBytes }, ...events });
  return sandboxUrl === null
    ? pool
    : new FusionRunner({ url: sandboxUrl, connections: workers, timeoutMs, outputBytes, tester: pool });
}
