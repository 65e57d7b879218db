import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { sayWalls, type Walls } from '../../../../src/external/sandbox/walls.ts';
import { WorkerPool } from '../../../../src/external/sandbox/worker-pool.ts';
import { WARM_UP_MS } from '../../../support/warm-sandbox.ts';

const LIMITS = { memoryBytes: 128 * 1_048_576, outputBytes: 4_096 };

/** The processes that this one has started, by their ids. */
function children(): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === process.pid;
    } catch {
      return false;
    }
  });
}

/** Variables of a process: what lies between the NULs of its area, which may hold nothing but NULs. */
function variables(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
}

const network = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`);

describe.skipIf(process.platform !== 'linux')('the process of a worker', () => {
  it(
    'has no environment, and no network where the machine lets it go without one, which is told once',
    async () => {
      const told: Walls[] = [];
      const others = new Set(children());
      const pool = new WorkerPool({
        workers: 2,
        timeoutMs: 20_000,
        limits: LIMITS,
        onOpened: (walls) => told.push(walls),
      });
      const job = { op: 'run', code: 'def f(x): return x', entry: 'f', unify: true } as const;
      await Promise.all([1, 2].map((x) => pool.run({ ...job, calls: [{ args: [x], kwargs: {} }] })));
      const own = children().filter((pid) => !others.has(pid));
      expect(own.length).toBeGreaterThan(0);
      // A process that is being started for the next programs is a copy of this one until its command runs.
      await vi.waitFor(
        () => {
          for (const pid of own) {
            expect(variables(pid)).toEqual([]);
            expect(network(pid) !== network('self')).toBe(told[0]?.network);
          }
        },
        { timeout: 20_000, interval: 50 },
      );
      expect(told).toHaveLength(1);
      await pool.close();
    },
    WARM_UP_MS,
  );
});

it('what an operator is told of the walls names each that is missing', () => {
  const all = { network: true, limits: true, permissions: true };
  expect(sayWalls(all)).toContain('none has a network');
  expect(sayWalls({ ...all, network: false })).toMatch(/they have the network of this server/);
  const none = sayWalls({ network: false, limits: false, permissions: false });
  for (const word of ['network', 'write', 'files of this server']) expect(none).toContain(word);
});
