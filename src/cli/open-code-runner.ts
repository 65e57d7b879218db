import type { CodeConfig } from '../config/code-schema.ts';
import { FusionRunner } from '../external/sandbox/fusion-runner.ts';
import { WorkerPool } from '../external/sandbox/worker-pool.ts';
import type { CodeRunner } from '../service/code/code-runner.ts';

/** Where programs run, by the configuration. Nothing starts before the first program. */
export function openCodeRunner(config: CodeConfig): CodeRunner {
  const { workers, timeoutMs, memoryBytes, outputBytes, sandboxUrl } = config;
  return sandboxUrl === null
    ? new WorkerPool({ workers, timeoutMs, limits: { memoryBytes, outputBytes } })
    : new FusionRunner({ url: sandboxUrl, connections: workers, timeoutMs, outputBytes });
}
