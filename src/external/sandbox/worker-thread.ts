import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { WorkerData } from './messages.ts';

/** JavaScript memory of a worker; the interpreters' own memory is bounded apart from it. */
const HEAP_MEBIBYTES = 256;
const STACK_MEBIBYTES = 4;

/** A new sandbox thread: with no environment variable and no standard stream of this process. */
export function openWorkerThread(workerData: WorkerData): Worker {
  const options: WorkerOptions = {
    workerData,
    env: {},
    argv: [],
    execArgv: [],
    // Kept from those of the process, and read by nobody: a reader would keep the process alive, and nothing writes there.
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES, stackSizeMb: STACK_MEBIBYTES },
  };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), options);
  // From the sources, in tests and in development, the thread has to learn TypeScript first.
  const tsx = new URL(
    'dist/esm/api/index.mjs',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json')),
  ).href;
  const entry = new URL('./worker.ts', import.meta.url).href;
  const learn = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}); });`;
  return new Worker(learn, { ...options, eval: true });
}
