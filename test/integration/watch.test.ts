import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watch } from '../../src/cli/watch/watch.ts';
import { PROJECT } from '../architecture/source-file.ts';
import { openServer, submissionOf, type TestServer } from '../protocol/test-server.ts';

interface Terminal {
  readonly size: { columns: number; rows: number } | null;
  readonly once?: boolean;
  /** Called at every pause, which takes no time; the watch ends when it returns false. */
  readonly goesOn?: (shown: string) => Promise<boolean> | boolean;
}

async function run(
  target: { url: string; cohort?: string; token?: string },
  { size, once: single = false, goesOn }: Terminal,
) {
  const stop = new AbortController();
  let [shown, complaint] = ['', ''];
  const code = await watch(
    { url: target.url, cohort: target.cohort ?? null, token: target.token ?? null },
    {
      once: single,
      stopped: stop.signal,
      pause: async () => {
        if (!(await goesOn?.(shown))) stop.abort();
      },
      complain: (text) => {
        complaint += text;
      },
      output: {
        write: (text) => {
          shown += text;
        },
        size: () => size,
        colors: false,
      },
    },
  );
  return { code, shown, complaint };
}

async function openWaiting(): Promise<{ server: TestServer; url: string }> {
  const server = await openServer();
  for (const agent of ['a', 'b']) await server.submit(agent, submissionOf('p', ['4', '5'], { step: 1 }));
  await server.submit('a', submissionOf('q', ['4', '5'], { step: 2 }));
  return { server, url: await server.listen() };
}

describe('peervote watch', () => {
  it('prints once what a cohort does, and exits with 0', async () => {
    const { url } = await openWaiting();
    const { code, shown, complaint } = await run({ url }, { size: null, once: true });
    expect([code, complaint]).toEqual([0, '']);
    expect(shown).toMatch(/^test \(co-rl\) {2}1 open {2}0 held here {2}step 1\n/);
    expect(shown).toMatch(/^a .* b: 1 prompt, 0 s$/m);
    expect(shown).toMatch(/^reward +a +0\.500 {2}▄$/m);
  });

  it('exits with 1 and a sentence where nobody answers, or with no good answer', async () => {
    const { server, url } = await openWaiting();
    const unknown = await run({ url, cohort: 'nowhere' }, { size: null, once: true });
    expect([unknown.code, unknown.complaint]).toEqual([
      1,
      expect.stringContaining('There is no cohort "nowhere"'),
    ]);
    await server.close();
    const gone = await run({ url }, { size: null, once: true });
    expect([gone.code, gone.complaint]).toEqual([1, expect.stringContaining('does not answer')]);
  });

  it('sends a token', async () => {
    const server = await openServer({ server: { tokens: 'read: reader-0123456789abcdef' } });
    const url = await server.listen();
    expect(await run({ url }, { size: null, once: true })).toMatchObject({ code: 1 });
    expect(await run({ url, token: 'reader-0123456789abcdef' }, { size: null, once: true })).toMatchObject({
      code: 0,
    });
  });

  it('lists cohorts where there are several', async () => {
    const { server, url } = await openWaiting();
    await server.send('PUT', '/v1/cohorts/zeta', { agents: ['x', 'y'], k: 2 });
    const { shown } = await run({ url }, { size: null, once: true });
    expect(shown).toMatch(/^test +co-rl +2 +-\nzeta +co-rl +2 +-$/m);
  });

  it('draws on a screen of its own, keeps what it knew when the server goes, and leaves the terminal as it was', async () => {
    const { server, url } = await openWaiting();
    let pictures = 0;
    const { code, shown } = await run(
      { url },
      {
        size: { columns: 60, rows: 9 },
        goesOn: async () => {
          pictures++;
          if (pictures === 2) await server.close();
          return pictures < 3;
        },
      },
    );
    expect(code).toBe(0);
    expect(shown.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
    expect(shown.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    const all = shown.split('\u001b[H').slice(1);
    expect(all).toHaveLength(3);
    expect(all[2]).toContain('does not answer');
    expect(all[2]).toContain('test (co-rl)');
    for (const picture of all) expect(picture.split('\r\n').length).toBeLessThanOrEqual(9);
  });

  it('writes a line whenever something happened, where there is no terminal', async () => {
    const { server, url } = await openWaiting();
    let looks = 0;
    const { shown } = await run(
      { url },
      {
        size: null,
        goesOn: async () => {
          looks++;
          if (looks === 3) await server.submit('b', submissionOf('q', ['4', '5'], { step: 2 }));
          return looks < 5;
        },
      },
    );
    expect(shown).toBe(
      'test: 6 rollouts, 1 open, 0 held; a waits for b on 1\ntest: 8 rollouts, 0 open, 0 held\n',
    );
  });

  it('ends cleanly on Ctrl-C', async () => {
    const { url } = await openWaiting();
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'watch', url], {
      cwd: PROJECT,
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const closed = once(child, 'close');
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(line).toContain('a waits for b on 1');
    child.kill('SIGINT');
    expect(await closed).toEqual([0, null]);
  });
});
