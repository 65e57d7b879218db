import { describe, expect, it } from 'vitest';
import { type AgentCounts, NO_AGENT_COUNTS } from '../../../src/domain/diagnostics/counters.ts';
import type { StepIncrement } from '../../../src/domain/diagnostics/tally.ts';
import { DiagnosticsLog } from '../../../src/service/diagnostics-log.ts';
import { MemoryStore } from '../../../src/store/memory/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { figureOf, pairFigureOf } from '../../support/figures.ts';
import {
  groupOf,
  openService,
  rewardsOf,
  rolloutOf,
  type ServiceOptions,
  type ServiceScene,
  wholeGroup,
} from '../../support/service.ts';

const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, most: 10_000 };

/** What is kept by now, step by step. */
async function read(scene: ServiceScene) {
  await scene.diagnostics.flush();
  return (await scene.store.readDiagnostics('test', ALL)).steps;
}

async function countsOf(scene: ServiceScene, agent: string): Promise<AgentCounts> {
  const steps = await read(scene);
  if (steps.length > 1) throw new Error('expected one step');
  return steps[0]?.tally.agent(agent) ?? NO_AGENT_COUNTS;
}

/** A service whose store writes down or refuses what is added to its figures. */
function openWatched(add: Store['addDiagnostics'], options: ServiceOptions = {}) {
  return openService({
    ...options,
    wrapStore: (store) =>
      new Proxy<Store>(store, {
        get: (target, name) => (name === 'addDiagnostics' ? add : Reflect.get(target, name).bind(target)),
      }),
  });
}

describe('the figures of a run', () => {
  it('count a group once, with its late and repeated rollouts or without', async () => {
    const scene = await openService({ k: 2 });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('a', [groupOf('p', [rolloutOf('5', 9)], { round: 0 })]);
    await scene.advance(100_000);
    expect(await countsOf(scene, 'a')).toMatchObject({ groups: 1, scored: 1, rollouts: 2, rewardSum: 1 });
    const [step] = await read(scene);
    expect(step?.tally.pair('a', 'b')).toMatchObject({ compared: 1, bothLabeled: 1, same: 1 });
  });

  it('are written behind the replies, all of a submission at once', async () => {
    const written: (readonly StepIncrement[])[] = [];
    const scene = await openWatched(async (_cohort, increments) => void written.push(increments));
    const prompts = Array.from({ length: 40 }, (_, at) => `p${at}`);
    await scene.record(
      'a',
      prompts.map((prompt) => wholeGroup(prompt, ['4', '4'])),
    );
    await scene.record(
      'b',
      prompts.map((prompt) => wholeGroup(prompt, ['4', '4'])),
    );
    expect(written).toEqual([]);
    await scene.advance(1_000);
    expect(written.map((increments) => increments.map(({ kind }) => kind).sort())).toEqual([
      ['agent', 'agent', 'pair'],
    ]);
  });

  it('are lost where they cannot be written, and the rewards are not', async () => {
    const scene = await openWatched(async () => {
      throw new Error('disk full');
    });
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    expect(rewardsOf(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toEqual([1, 0]);
    await scene.advance(1_000);
    expect(scene.logger.lines).toEqual([{ level: 'error', message: 'Diagnostics could not be written.' }]);
    expect(rewardsOf(await scene.submit('a', [wholeGroup('p', ['4', '5'])]))).toEqual([1, 0]);
  });

  it('lie at the step of the trainer; those of a pair at that of its first agent', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '4'])], { step: 3 });
    await scene.record('b', [wholeGroup('p', ['4', '4'])], { step: 5 });
    const found = (await read(scene)).map(({ step, tally }) => [
      step,
      tally.agent('a')?.groups,
      tally.agent('b')?.groups,
      tally.pair('a', 'b')?.compared,
    ]);
    expect(found).toEqual([
      [3, 1, undefined, 1],
      [5, undefined, 1, undefined],
    ]);
  });

  it('tell how long a group was complete before its teacher was', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    scene.clock.advance(7_500);
    await scene.record('b', [wholeGroup('p', ['4', '4'])]);
    await scene.record('b', [wholeGroup('q', ['4', '4'])]);
    scene.clock.advance(1_000);
    await scene.record('a', [wholeGroup('q', ['4', '4'])]);
    const [step] = await read(scene);
    const wait = (agent: string, name: string) =>
      step && figureOf(scene.cohort, step.tally, agent, `barrier_wait_${name}_s`);
    expect(wait('a', 'mean')).toEqual({ value: 3.75, numerator: 7.5, denominator: 2 });
    expect(wait('b', 'mean')).toEqual({ value: 0.5, numerator: 1, denominator: 2 });
    expect(wait('a', 'max')?.value).toBe(7.5);
  });

  it('count no wait under last-label, where nobody waits', async () => {
    const scene = await openService({ barrier: { mode: 'last-label', maxStaleness: 1 } });
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    await scene.record('b', [wholeGroup('p', ['4', '5'])]);
    expect(await countsOf(scene, 'b')).toMatchObject({ groups: 1, scored: 1, waits: 0 });
    expect(await countsOf(scene, 'a')).toMatchObject({ groups: 1, unlabeled: 1, waits: 0 });
  });

  it('judge no agent of role teacher, and count its votes', async () => {
    const scene = await openService({ agents: ['a', { name: 'b', role: 'teacher' }] });
    await scene.record('b', [wholeGroup('p', ['4', '4'], { groundTruth: '4' })]);
    await scene.record('a', [wholeGroup('p', ['4', '5'])]);
    expect(await countsOf(scene, 'b')).toMatchObject({
      groups: 1,
      labeled: 1,
      labelHits: 1,
      scored: 0,
      rewards: 0,
    });
    const [step] = await read(scene);
    const supervision = step && figureOf(scene.cohort, step.tally, 'b', 'supervision_fraction');
    expect(supervision).toMatchObject({ value: null, denominator: 0 });
  });

  it('count a prompt of a pair once it is decided for both, and the whole cohort once it is for all', async () => {
    const scene = await openService({ agents: ['a', 'b', 'c'], supervision: { kind: 'peer-majority' } });
    await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    await scene.record('b', [wholeGroup('p', ['5', '5'])]);
    const [before] = await read(scene);
    expect(before && pairFigureOf(before.tally, 'a', 'b', 'agreement').denominator).toBe(1);
    expect(before?.tally.agent('a')).toBeNull();
    await scene.record('c', [wholeGroup('p', ['4', '4'])]);
    expect(await countsOf(scene, 'a')).toMatchObject({
      allLabeled: 1,
      unanimous: 0,
      peersLabeled: 1,
      peerTies: 1,
    });
    expect(await countsOf(scene, 'b')).toMatchObject({ peersLabeled: 1, peerTies: 0, supervised: 1 });
  });

  it('call a pair with a prompt that one of both skipped unlabeled on that side, and forget one that both skipped', async () => {
    const scene = await openService();
    await scene.record('a', [wholeGroup('p', ['4', '4'])]);
    await scene.skip('b', 'p');
    await scene.skip('a', 'q');
    await scene.skip('b', 'q');
    const [step] = await read(scene);
    expect(step?.tally.pair('a', 'b')).toMatchObject({ compared: 1, firstLabeled: 1, secondLabeled: 0 });
    expect(await countsOf(scene, 'a')).toMatchObject({ groups: 1, skipped: 1 });
  });

  it('say nothing of labels that are programs, whose truth is tests', async () => {
    const scene = await openService();
    const truth = { groundTruth: 'assert f(1) == 1', mode: 'code' } as const;
    await scene.record('a', [wholeGroup('p', ['x', 'x'], truth)]);
    await scene.record('b', [wholeGroup('p', ['x', 'x'], truth)]);
    expect(await countsOf(scene, 'a')).toMatchObject({ groups: 1, truthLabels: 0, truthRollouts: 0 });
  });
});

describe('the log of figures', () => {
  it('holds so many records until it can write, and drops what is beyond', async () => {
    const clock = new FakeClock();
    const store = new MemoryStore(clock);
    let written = 0;
    const watched = new Proxy<Store>(store, {
      get: (target, name) =>
        name === 'addDiagnostics'
          ? async (_cohort: string, increments: readonly StepIncrement[]) => {
              written += increments.length;
            }
          : Reflect.get(target, name),
    });
    const silent = () => undefined;
    const logger = { info: silent, warn: silent, error: silent };
    const log = new DiagnosticsLog({ store: watched, clock, logger });
    for (let step = 0; step < 20_005; step++) {
      log.add('test', step, { kind: 'agent', agent: 'a', counts: NO_AGENT_COUNTS });
    }
    await log.flush();
    expect(written).toBe(20_000);
    log.add('test', 0, { kind: 'agent', agent: 'a', counts: NO_AGENT_COUNTS });
    await log.flush();
    expect([written, clock.pending]).toEqual([20_001, 0]);
  });
});
