import { describe, expect, it } from 'vitest';
import { readFetched } from '../protocol/test-server.ts';
import { ServerProcess } from './server-process.ts';

const json = { 'content-type': 'application/json' };

function submit(base: string, agent: string, answers: readonly string[], query = ''): Promise<Response> {
  const rollouts = answers.map((answer, index) => ({ index, answer }));
  return fetch(`${base}/v1/cohorts/default/agents/${agent}/rollouts${query}`, {
    method: 'POST',
    body: JSON.stringify({ groups: [{ prompt_id: 'p', rollouts }] }),
    headers: json,
  });
}

describe('peervote serve', () => {
  it('serves a cohort that its flags describe', async () => {
    const server = new ServerProcess(['--port', '0', '--agents', 'qwen,llama', '--k', '2', '--mode', 'raw']);
    const base = await server.listening();
    expect((await submit(base, 'qwen', ['4', '5'])).status).toBe(202);
    const reply = await readFetched(await submit(base, 'llama', ['5', '4']));
    expect(reply.text).toContain('"rewards":[0.0,1.0]');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers everybody who waits with 503 on %s within a second and ends well',
    async (signal) => {
      const server = new ServerProcess(['--port', '0', '--agents', 'a,b', '--k', '2', '--log-level', 'info']);
      const base = await server.listening();
      const waiting = Array.from({ length: 50 }, () => submit(base, 'a', ['4', '5'], '?wait=100'));
      const held = async () =>
        (await readFetched(await fetch(`${base}/v1/cohorts/default`))).body.held_requests;
      while ((await held()) < 50) {}

      const stopped = performance.now();
      server.child.kill(signal);
      const replies = await Promise.all(waiting);
      const took = performance.now() - stopped;
      for (const reply of replies) {
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await reply.json()).toMatchObject({ code: 'draining', retryable: true });
      }
      expect(took).toBeLessThan(1_000);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    },
  );

  it('refuses to start as several replicas of an embedded store', async () => {
    const { code, stderr } = await new ServerProcess(['--agents', 'a,b', '--replicas', '2']).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('--replicas: server.replicas: more than one replica needs --redis');
  });

  it('refuses to start as one of several processes of a cluster manager', async () => {
    const args = ['--port', '0', '--agents', 'a,b'];
    const { code, stderr } = await new ServerProcess(args, { NODE_APP_INSTANCE: '1' }).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('Run one process.')]);
  });

  it('prints all problems of its configuration, with where each was set, and ends with 2', async () => {
    const args = ['--agents', 'a,a', '--k', '0'];
    const { code, stderr } = await new ServerProcess(args, { PEERVOTE_PORT: 'x', PEERVOTE_POTR: '1' }).ended;
    expect(code).toBe(2);
    for (const place of [
      '--agents: cohorts.default.agents[1]',
      '--k: cohorts.default.k',
      'PEERVOTE_PORT',
      'PEERVOTE_POTR',
    ]) {
      expect(stderr).toContain(place);
    }
    expect(stderr).toMatch(/^The configuration has 4 problems:\n/);
  });

  it('says in one sentence that its port is taken', async () => {
    const first = new ServerProcess(['--port', '0', '--agents', 'a,b']);
    const { port } = new URL(await first.listening());
    const { code, stderr } = await new ServerProcess(['--port', port, '--agents', 'a,b']).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The server cannot listen at 127\.0\.0\.1, port \d+: .+\.\n$/);
  });
});
