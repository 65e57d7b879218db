import { expect, it } from 'vitest';
import { openServer } from './test-server.ts';

const groupOf = (answers: string) => ({
  prompt_id: 'v',
  rollouts: [...answers].map((answer, index) => ({ id: String(index), index, answer })),
});

it('a prompt that comes twice in one submission with equal answers is two visits, each paid against its own of the peer', async () => {
  const server = await openServer({ k: 4 });
  const send = (agent: string, ...groups: readonly string[]) =>
    server.submit(agent, { submission_id: 's', step: 1, groups: groups.map(groupOf) });
  await send('a', '1122', '1333');
  const { status, body } = await send('b', '1122', '1122');
  expect([status, body.status]).toEqual([200, 'decided']);
  const paid = [
    [0, [1, 1, 0, 0]],
    [1, [0, 0, 0, 0]],
  ];
  const paidOf = (reply: typeof body) =>
    reply.groups.map(({ round, rewards }: { round: number; rewards: number[] }) => [round, rewards]);
  expect(paidOf(body)).toEqual(paid);
  // A retry, and a look at it later, pay the same.
  expect(paidOf((await send('b', '1122', '1122')).body)).toEqual(paid);
  expect(paidOf((await server.get('/v1/cohorts/test/agents/b/submissions/s')).body)).toEqual(paid);
  expect(paidOf((await server.get('/v1/cohorts/test/agents/a/submissions/s')).body)).toEqual([
    [0, [1, 1, 0, 0]],
    [1, [1, 0, 0, 0]],
  ]);
});
