import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Bucket, votersOf } from '../../domain/bucket.ts';
import type { AgentName } from '../../domain/cohort.ts';
import type { Judgement } from '../../methods/method.ts';
import { FLOAT_KEYS, stringifyWithFloats } from '../../protocol/float-json.ts';

/** Writes a line of JSON for every rollout and its reward. Packed where the name ends in `.gz`. */
export class RewardsFile {
  readonly #out: Writable;
  readonly #done: Promise<void>;

  constructor(path: string) {
    const file = createWriteStream(path);
    const packed = path.endsWith('.gz') ? createGzip() : null;
    this.#out = packed ?? file;
    packed?.pipe(file);
    this.#done = finished(file);
    // Told by `write` and `close`; until then nobody may be listening.
    this.#done.catch(() => {});
  }

  async write(bucket: Bucket, judgements: ReadonlyMap<AgentName, Judgement>): Promise<void> {
    let text = '';
    for (const [agent, judgement] of judgements) {
      const group = bucket.groups.get(agent);
      if (group === undefined) continue;
      for (const rollout of votersOf(group)) {
        const reward = judgement.reward(rollout);
        text += `${stringifyWithFloats(
          {
            prompt_id: bucket.promptId,
            agent,
            round: bucket.round,
            k: rollout.index,
            reward,
            answer: rollout.answer,
            status: judgement.status,
            label: judgement.label?.answer ?? null,
            label_share: judgement.share,
            teachers: judgement.teachers,
            reward_source: judgement.source,
            ...(judgement.weight !== undefined && { reward_weight: judgement.weight }),
            ...(judgement.advantageOffset !== undefined && { advantage_offset: judgement.advantageOffset }),
            ...(reward === null && { reason: judgement.reasonOf?.(rollout) ?? judgement.reason }),
          },
          FLOAT_KEYS,
        )}\n`;
      }
    }
    if (!this.#out.write(text)) await Promise.race([once(this.#out, 'drain'), this.#done]);
  }

  /** Throws what writing threw. */
  async close(): Promise<void> {
    this.#out.end();
    await this.#done;
  }
}
