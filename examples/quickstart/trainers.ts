import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AgentOrder, StepReport } from './messages.ts';

/**
 * Runs each agent in a process of its own until all are done. Throws when one fails, after ending the
 * others: their peers would wait for it in vain.
 */
export async function runAgents(
  orders: readonly AgentOrder[],
  onReport: (report: StepReport) => void,
): Promise<void> {
  const file = fileURLToPath(new URL('./agent.ts', import.meta.url));
  const processes = orders.map((order) => fork(file, [JSON.stringify(order)]));
  try {
    await Promise.all(processes.map((child, at) => waitFor(child, orders[at]?.name ?? '', onReport)));
  } finally {
    for (const child of processes) child.kill();
  }
}

async function waitFor(
  child: ChildProcess,
  name: string,
  onReport: (report: StepReport) => void,
): Promise<void> {
  child.on('message', (message) => onReport(message as StepReport));
  // The last messages may still be on their way when the process is gone.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (code !== 0) throw new Error(`Agent ${name} ended early (${signal ?? `exit code ${code}`}).`);
}
