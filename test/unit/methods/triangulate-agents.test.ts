import { describe, expect, it } from 'vitest';
import { triangulateAgents } from '../../../src/methods/triangulate-agents.ts';

/** What agents of these accuracies agree on when they err independently. */
function matrix(accuracies: readonly number[], answers: 'binary' | 'open') {
  return accuracies.map((a, i) =>
    accuracies.map((b, j) => (i === j ? 1 : answers === 'open' ? a * b : a * b + (1 - a) * (1 - b))),
  );
}

describe('accuracy from agreement alone', () => {
  it.each(['binary', 'open'] as const)(
    'is found for four agents that err independently, %s answers',
    (answers) => {
      const accuracies = [0.9, 0.8, 0.7, 0.6];
      const found = triangulateAgents(matrix(accuracies, answers), answers);
      for (const [at, accuracy] of accuracies.entries()) expect(found[at]).toBeCloseTo(accuracy, 9);
    },
  );

  it('is the median over all pairs of others, which one odd pair does not move', () => {
    const agreement = matrix([0.9, 0.8, 0.7, 0.6], 'open').map((row) => [...row]);
    for (const [i, j] of [
      [2, 3],
      [3, 2],
    ] as const) {
      const row = agreement[i];
      if (row !== undefined) row[j] = 0.9;
    }
    expect(triangulateAgents(agreement, 'open')[0]).toBeCloseTo(0.9, 9);
  });

  it('is unknown of two, and of agents that were never compared', () => {
    expect(
      triangulateAgents(
        [
          [1, 0.8],
          [0.8, 1],
        ],
        'open',
      ),
    ).toEqual([null, null]);
    const apart = matrix([0.9, 0.8, 0.7], 'open').map((row, i) =>
      row.map((value, j) => (i + j === 1 ? null : value)),
    );
    expect(triangulateAgents(apart, 'open')).toEqual([null, null, null]);
  });
});
