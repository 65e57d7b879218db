import { WorkerPool } from '../../src/external/sandbox/worker-pool.ts';

/** Longest that this may take on a slow machine under load. */
export const WARM_UP_MS = 120_000;

/** Makes the image that every sandbox of this process starts from, so that no test waits for Python to start. */
export async function warmSandbox(): Promise<void> {
  const limits = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };
  const pool = new WorkerPool({ workers: 1, timeoutMs: 30_000, limits });
  await pool.run({ op: 'plan', entry: 'f', tests: null, inputs: [[]] });
  await pool.close();
}
