import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { settleDown } from '../support/service.ts';
import { openServer } from './test-server.ts';

const COMPLETION_LENGTH = 500_000;
const HELD = 40;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function heapUsed(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    await settleDown();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

const DIALECTS: readonly [string, string, (completion: string, at: number) => unknown][] = [
  [
    'the native protocol',
    '/v1/cohorts/test/agents/a/rollouts?wait=100',
    (completion, at) => ({ groups: [{ prompt_id: `p${at}`, rollouts: [{ index: 0, completion }] }] }),
  ],
  [
    'OpenRLHF',
    '/openrlhf/test/a',
    (completion, at) => ({ query: [`Q ${completion}`], prompts: ['Q '], labels: [{ pid: `p${at}` }] }),
  ],
];

it.each(DIALECTS)(
  'a request of %s that is held keeps nothing of its body alive',
  async (_name, path, bodyOf) => {
    const server = await openServer({ answers: { mode: 'boxed', pattern: null } });
    const base = await server.listen();
    const agent = new Agent({ keepAlive: true });
    const post = (at: number) => {
      const completion = `${'x'.repeat(COMPLETION_LENGTH)} \\boxed{an answer that is long enough to be cut out: ${at}}`;
      const call = request(base + path, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json' },
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify(bodyOf(completion, at)));
      return call;
    };
    // The first ones warm up what is compiled and pooled.
    const calls = [];
    for (let at = 0; at < 5; at++) calls.push(post(at));
    await server.untilHeld(5);
    const before = await heapUsed();
    for (let at = 5; at < 5 + HELD; at++) calls.push(post(at));
    await server.untilHeld(5 + HELD);
    const perRequest = ((await heapUsed()) - before) / HELD;
    for (const call of calls) call.destroy();
    await server.untilHeld(0);
    agent.destroy();
    expect(perRequest).toBeLessThan(COMPLETION_LENGTH / 5);
  },
);
