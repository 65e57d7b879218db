import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../bench/replay/ledger.ts';

function openLedger(): Ledger {
  const expected = new Map([
    ['r1', { reward: 1, label: '1/2' } as const],
    ['r2', { reward: 0, label: null } as const],
  ]);
  return new Ledger(expected, 'auto');
}

describe('the ledger of a replay', () => {
  it('takes rewards that are right, again and again, and then misses nothing', () => {
    const ledger = openLedger();
    ledger.record({ name: 'r1', reward: 1, label: '0.5' });
    ledger.record({ name: 'r1', reward: 1, label: true });
    ledger.record({ name: 'r2', reward: 0, label: null });
    expect(ledger.faults).toEqual([]);
    expect(ledger.missing).toEqual([]);
    expect(ledger.checked).toBe(3);
  });

  it.each([
    ['a wrong reward', { name: 'r1', reward: 0, label: '0.5' }],
    ['no reward', { name: 'r1', reward: null, label: '0.5' }],
    ['another label', { name: 'r1', reward: 1, label: '0.6' }],
    ['a label where there is none', { name: 'r2', reward: 0, label: true }],
    ['a rollout that nobody sent', { name: 'r3', reward: 0, label: null }],
  ])('finds the fault in %s', (_what, rewarded) => {
    const ledger = openLedger();
    ledger.record(rewarded);
    expect(ledger.faultCount).toBe(1);
  });

  it('misses the rollouts that were never rewarded', () => {
    const ledger = openLedger();
    ledger.record({ name: 'r2', reward: 0, label: null });
    expect(ledger.missing).toEqual(['r1']);
  });
});
