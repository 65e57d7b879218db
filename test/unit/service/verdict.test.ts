import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/domain/verdict/finding.ts';
import {
  groupOf,
  openService,
  rolloutOf,
  type ServiceOptions,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

const STALLED_MS = 10_000;
const SILENT_MS = 30_000;

const open = (options: ServiceOptions = {}) =>
  openService({
    barrier: { deadlineMs: 3_600_000 },
    watchdog: { stalledAfterMs: STALLED_MS, silentAfterMs: SILENT_MS },
    ...options,
  });

async function look(scene: ServiceScene): Promise<readonly Finding[]> {
  await scene.caretaker.watch();
  return scene.caretaker.findings('test');
}

const codes = (findings: readonly Finding[]) =>
  findings.map(({ code, agents }) => `${code}: ${agents.join(', ')}`);

/** Sends whole groups of two answers and waits for them, in one request. */
async function sendAndPark(scene: ServiceScene, agent: string, promptIds: readonly string[]) {
  const ticket = await scene.record(
    agent,
    promptIds.map((promptId) => wholeGroup(promptId, ['4', '5'])),
  );
  return scene.park(ticket, 10_000_000);
}

const prompts = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${from + at}`);

describe('a verdict on a standstill', () => {
  it('names a silent agent that others wait for, and who they are', async () => {
    const scene = await open();
    await scene.record('b', [wholeGroup('x', ['4', '4'])]);
    await sendAndPark(scene, 'a', ['p', 'q']);
    await scene.advance(SILENT_MS - 1);
    expect(codes(await look(scene))).toEqual([]);
    await scene.advance(1);
    const findings = await look(scene);
    expect(codes(findings)).toEqual(['silent_agent: b']);
    expect(findings[0]?.message).toBe(
      '"b" has sent nothing for 30 s, and a waits for it on 2 prompts (the oldest is "p", round 0, for 30 s). Is its trainer running and pointed at agent "b" of cohort "test"? If its training has ended, tell it with finish.',
    );
  });

  it('says of an agent that never came that it never came', async () => {
    const scene = await open();
    await sendAndPark(scene, 'a', ['p']);
    await scene.advance(300_000);
    expect((await look(scene))[0]?.message).toMatch(/^"b" has never sent anything, .* for 5 min\)/);
  });

  it('names a silent agent in time where that is set shorter than a stall', async () => {
    const scene = await open({ watchdog: { stalledAfterMs: 60_000, silentAfterMs: 5_000 } });
    await sendAndPark(scene, 'a', ['p']);
    await scene.advance(5_000);
    expect(codes(await look(scene))).toEqual(['silent_agent: b']);
  });

  it('names a wait cycle of trainers that send one rollout and wait, with who waits for whom on what', async () => {
    const scene = await open({ k: 8 });
    for (const agent of ['a', 'b']) {
      const ticket = await scene.record(agent, [groupOf('p', [rolloutOf('4', 0)])]);
      await scene.park(ticket, 10_000_000);
    }
    await scene.advance(STALLED_MS - 1);
    expect(await look(scene)).toEqual([]);
    await scene.advance(1);
    const [finding, ...more] = await look(scene);
    expect(more).toEqual([]);
    expect(finding?.code).toBe('wait_cycle');
    expect(finding?.message).toMatch(
      /^Nobody can move: a waits for b on "p" \(it has sent 1\), b waits for a on "p" \(it has sent 1\), and nothing has come for 10 s\./,
    );
    expect(finding?.message).toContain('more concurrent reward calls');
  });

  it('names a cycle of three once', async () => {
    const scene = await open({ agents: ['a', 'b', 'c'], k: 8 });
    for (const agent of ['a', 'b', 'c']) {
      await scene.park(await scene.record(agent, [groupOf('p', [rolloutOf('4', 0)])]), 10_000_000);
    }
    await scene.advance(STALLED_MS);
    expect(codes(await look(scene))).toEqual(['wait_cycle: a, c, b']);
  });

  it('names another order by a single prompt of each, whose ids look alike', async () => {
    const scene = await open();
    await sendAndPark(scene, 'a', ['p7']);
    await sendAndPark(scene, 'b', ['p3']);
    await scene.advance(STALLED_MS);
    expect(codes(await look(scene))).toEqual(['different_order: a, b']);
  });

  it('names another order by a single prompt that both have sent', async () => {
    const scene = await open();
    await sendAndPark(scene, 'a', ['p1', 'p5', 'p7']);
    await sendAndPark(scene, 'b', ['p5', 'p2', 'p9']);
    await scene.advance(STALLED_MS);
    const [finding, ...more] = await look(scene);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'different_order', agents: ['a', 'b'], figures: { met: 1 } });
    expect(finding?.message).toContain('Of the latest 3 prompts of a, b has sent 1.');
  });

  it('names agents whose prompt ids are disjoint, with examples of both', async () => {
    const scene = await open();
    await sendAndPark(scene, 'a', ['math-1', 'math-2', 'math-3', 'math-4']);
    await sendAndPark(scene, 'b', ['17', '18', '19']);
    await scene.advance(STALLED_MS);
    const [finding, ...more] = await look(scene);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'disjoint_prompts', agents: ['a', 'b'] });
    expect(finding?.message).toBe(
      '"a" and "b" send different prompt ids: a waits on "math-1", "math-2", "math-3", while b sent "19", "18", "17". Give both datasets the same ids, made in the same way from the same texts, and both trainers the same data seed and shuffle.',
    );
  });

  it('names an agent whose K is not what the cohort says, and what to set', async () => {
    const scene = await open({ agents: ['a', { name: 'b', k: 4 }] });
    const ids = prompts('p', 0, 6);
    await sendAndPark(scene, 'a', ids);
    await sendAndPark(scene, 'b', ids);
    await scene.advance(STALLED_MS);
    const findings = await look(scene);
    expect(codes(findings)).toEqual(['k_mismatch: b']);
    expect(findings[0]?.message).toBe(
      'Every group of "b" stops at 2 of 4 rollouts (6 prompts, the first is "p0"). Does its trainer sample 2 per prompt? Then set k: 2 for this agent, or let the trainer sample 4. Until then each group is waited for in vain, and decided with what it has.',
    );
  });

  it('names a wrong K of an agent that learns from itself', async () => {
    const scene = await open({ agents: ['a'], method: 'ttrl', k: 4 });
    await sendAndPark(scene, 'a', prompts('p', 0, 3));
    await scene.advance(STALLED_MS);
    expect(codes(await look(scene))).toEqual(['k_mismatch: a']);
  });

  it('shortens prompt ids that are long', async () => {
    const scene = await open();
    await sendAndPark(scene, 'a', ['x'.repeat(500)]);
    await scene.advance(SILENT_MS);
    expect((await look(scene))[0]?.message).toContain(`"${'x'.repeat(59)}…"`);
  });
});

/** Another answer to each prompt: agents that say the same to all have collapsed. */
const answersTo = (promptId: string) => [promptId, promptId];

describe('a verdict is empty', () => {
  it('about agents that keep sending and get their rewards', async () => {
    const scene = await open();
    for (let step = 0; step < 10; step++) {
      for (const agent of ['a', 'b']) {
        await scene.record(
          agent,
          prompts(`s${step}-`, 0, 4).map((promptId) => wholeGroup(promptId, answersTo(promptId))),
        );
      }
      await scene.advance(STALLED_MS);
      expect(await look(scene)).toEqual([]);
    }
  });

  it('about a fast agent that is a thousand prompts ahead of a slow one', async () => {
    const scene = await open();
    for (let at = 0; at < 1_000; at += 100) {
      await scene.record(
        'a',
        prompts('p', at, 100).map((promptId) => wholeGroup(promptId, answersTo(promptId))),
      );
    }
    for (let at = 0; at < 20; at++) {
      await scene.record('b', [wholeGroup(`p${at}`, answersTo(`p${at}`))]);
      await scene.advance(STALLED_MS - 1);
      expect(await look(scene)).toEqual([]);
    }
    await scene.advance(STALLED_MS);
    // The slow one pauses; its prompts are the same all the same.
    expect(await look(scene)).toEqual([]);
  });

  it('about trainers in the middle of a step whose first rollouts are of different prompts', async () => {
    const scene = await open({ k: 2 });
    const first = (promptId: string) => groupOf(promptId, [rolloutOf('4', 0)]);
    for (const [agent, from] of [
      ['a', 0],
      ['b', 10],
    ] as const) {
      await scene.park(await scene.record(agent, prompts('p', from, 4).map(first)), 10_000_000);
    }
    await scene.advance(STALLED_MS - 1);
    await scene.record('a', [first('p5')]);
    await scene.record('b', [first('p15')]);
    await scene.advance(1);
    expect(codes(await look(scene))).toEqual([]);
  });

  it('about an agent that once filled its groups and is slow with some', async () => {
    const scene = await open({ agents: ['a', { name: 'b', k: 4 }] });
    await scene.record('b', [wholeGroup('full', ['1', '2', '3', '4'])]);
    await scene.record(
      'b',
      prompts('p', 0, 5).map((promptId) => wholeGroup(promptId, ['1', '2'])),
    );
    await scene.advance(STALLED_MS);
    await scene.record('b', [groupOf('late', [rolloutOf('1', 0)])]);
    expect(await look(scene)).toEqual([]);
  });

  it('about ttrl, where nobody waits for another', async () => {
    const scene = await open({ method: 'ttrl' });
    await scene.record(
      'a',
      prompts('p', 0, 4).map((promptId) => wholeGroup(promptId, ['4', '4'])),
    );
    await scene.record('a', [groupOf('half', [rolloutOf('1', 0)])]);
    await scene.advance(1_000_000);
    expect(await look(scene)).toEqual([]);
  });

  it('about an agent that has finished', async () => {
    const scene = await open();
    await scene.record('b', [wholeGroup('x', ['4', '4'])]);
    await sendAndPark(scene, 'a', ['p', 'q', 'r']);
    await scene.finish('b');
    await scene.record('a', [wholeGroup('s', ['4', '4'])]);
    await scene.advance(1_000_000);
    expect(await look(scene)).toEqual([]);
  });

  it('about many agents with thousands of open prompts, and looks at them all the same', {
    timeout: 60_000,
  }, async () => {
    const agents = Array.from({ length: 64 }, (_, at) => `agent-${at}`);
    const scene = await open({
      agents,
      k: 1,
      supervision: { kind: 'pooled' },
      limits: { openBuckets: 10_000 },
    });
    await scene.record(
      'agent-0',
      prompts('p', 0, 3_000).map((promptId) => wholeGroup(promptId, ['4'])),
    );
    expect(await look(scene)).toEqual([]);
    await scene.advance(STALLED_MS);
    expect(await look(scene)).toEqual([]);
    await scene.advance(SILENT_MS);
    expect(await look(scene)).toHaveLength(63);
  });

  it('about a prompt that nobody waits for', async () => {
    const scene = await open({ agents: ['a', { name: 'b', role: 'teacher' }] });
    await scene.record('b', [wholeGroup('x', ['4', '4'])]);
    await scene.advance(1_000_000);
    expect(await look(scene)).toEqual([]);
  });
});
