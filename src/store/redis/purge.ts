import { type Call, type Caller, runOne } from './call.ts';
import type { CohortKeys, Shard } from './keys.ts';

/** Keys that one call frees. */
const SLICE = 256;
/** By then every replica knows of a deletion, and has written what it had gathered before. */
const AGAIN_MS = 3_000;
/** Deleted cohorts that wait to be looked at again; of more the oldest are left to expire. */
const MOST_WAITING = 1_000;

/** Where a deleted cohort lay. */
export interface Deleted {
  readonly keys: CohortKeys;
  readonly agents: readonly string[];
}

/**
 * Frees what deleted cohorts held, at once and once more a little later: what another replica wrote meanwhile, figures and samples above all,
 * lies in names that nobody reads any more, and would stay for up to a month.
 */
export class Purger {
  readonly #caller: Caller;
  readonly #waiting: { readonly deleted: Deleted; readonly at: number }[] = [];

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async purge(deleted: Deleted): Promise<void> {
    this.#waiting.push({ deleted, at: performance.now() + AGAIN_MS });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    await purgeCohort(this.#caller, deleted);
  }

  /** Does what is due; to be called now and then. */
  async again(): Promise<void> {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.at <= performance.now();
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      // What is left where Redis is away, or holds something else there, expires.
      await purgeCohort(this.#caller, next.deleted).catch(() => {});
    }
  }
}

/** Slice by slice along its own lists. */
async function purgeCohort(caller: Caller, { keys, agents }: Deleted): Promise<void> {
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
