import type { RedisServer } from '../../test/support/redis-server.ts';
import { Replica } from '../../test/support/replica.ts';
import { bodyOf, type Sample } from '../../test/support/trainer.ts';

const WARM_UP = 30;

/**
 * Milliseconds from sending what the last peer has to the arrival of the reply to an agent that waits on another replica.
 * One prompt of eight short answers at a time.
 */
export async function measureRelease(
  command: string,
  redis: RedisServer,
  exchanges: number,
): Promise<number[]> {
  const flags = ['--agents', 'a,b', '--k', '8', '--mode', 'raw', '--log-level', 'warn'];
  const start = () => Replica.start({ command, redisUrl: redis.url, flags });
  const [one, other] = await Promise.all([start(), start()]);
  const took: number[] = [];
  for (let at = 0; at < WARM_UP + exchanges; at++) {
    const answers = Array.from({ length: 8 }, (_, index) => String(index % 3));
    const waiting = send(one.url, { agent: 'a', promptId: `p${at}`, answers });
    await untilOpen(other.url, `p${at}`);
    const sentAt = performance.now();
    const last = send(other.url, { agent: 'b', promptId: `p${at}`, answers });
    await waiting;
    if (at >= WARM_UP) took.push(performance.now() - sentAt);
    await last;
  }
  await Promise.all([one.terminate(), other.terminate()]);
  return took;
}

async function send(url: string, sample: Sample): Promise<void> {
  const reply = await fetch(`${url}/v1/cohorts/default/agents/${sample.agent}/rollouts?wait=60`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(sample)),
  });
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  await reply.text();
}

/** Until the rollouts of the agent that waits are stored, and a little longer, so that it is held. */
async function untilOpen(url: string, promptId: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/v1/cohorts/default/buckets/${promptId}`);
    await reply.text();
    if (reply.ok) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
}
