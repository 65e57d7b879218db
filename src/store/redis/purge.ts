import { type Call, type Caller, runOne } from './call.ts';
import type { CohortKeys, Shard } from './keys.ts';

/** Keys that one call frees. */
const SLICE = 256;

/**
 * Frees what a deleted cohort held, slice by slice along its own lists. What another replica writes at the same moment
 * lies in names that nobody reads any more, and expires.
 */
export async function purgeCohort(
  caller: Caller,
  { keys, agents }: { readonly keys: CohortKeys; readonly agents: readonly string[] },
): Promise<void> {
  await Promise.all(keys.shards.map((shard) => purgeShard(caller, shard)));
  const ofAgents = agents.flatMap((name) => [keys.activity(name), keys.samples(name)]);
  const rest = [
    keys.speakers,
    keys.manifest,
    keys.diagnostics,
    keys.diagnosticSteps,
    keys.plan,
    keys.labelRows,
    ...ofAgents,
  ];
  await runOne(caller, { name: 'unlink', args: rest });
}

async function purgeShard(caller: Caller, shard: Shard): Promise<void> {
  await purgeList(caller, shard.index, shard.prompt);
  await purgeList(caller, shard.submissions, shard.submission);
  await runOne(caller, { name: 'unlink', args: [shard.open] });
}

async function purgeList(caller: Caller, list: string, keyOf: (member: string) => string): Promise<void> {
  for (;;) {
    const members = (await runOne(caller, { name: 'zrange', args: [list, 0, SLICE - 1] })) as string[];
    if (members.length === 0) return;
    const free: Call[] = [
      { name: 'unlink', args: members.map(keyOf) },
      { name: 'zrem', args: [list, ...members] },
    ];
    await caller.run(free);
  }
}
