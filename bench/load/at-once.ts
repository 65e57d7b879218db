/** Runs all tasks, at most `limit` at a time, in order. Rejects with the first failure. */
export async function runAtOnce(tasks: readonly (() => Promise<void>)[], limit: number): Promise<void> {
  const left = tasks[Symbol.iterator]();
  const work = async () => {
    for (const task of left) await task();
  };
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, work));
}
