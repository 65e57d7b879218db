import type { Activity } from './activity.ts';
import type { Inquiries } from './inquiries.ts';
import type { OpenBuckets } from './open-buckets.ts';
import type { Presence } from './presence.ts';
import type { Prompts } from './prompts.ts';
import type { RedisReceipts } from './redis-receipts.ts';
import type { Speakers } from './speakers.ts';

/** What the store's use cases share. */
export interface StoreParts {
  readonly prompts: Prompts;
  readonly open: OpenBuckets;
  readonly speakers: Speakers;
  readonly activity: Activity;
  readonly presence: Presence;
  readonly inquiries: Inquiries;
  readonly receipts: RedisReceipts;
  /** Names this replica. */
  readonly origin: string;
}
