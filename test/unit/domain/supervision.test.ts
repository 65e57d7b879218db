import { describe, expect, it } from 'vitest';
import type { Supervision } from '../../../src/domain/cohort.ts';
import { teachersOf } from '../../../src/domain/supervision.ts';
import { agentOf, buildCohort, type CohortOverrides } from '../../support/builders.ts';

function teachersIn(agents: CohortOverrides['agents'], supervision: Supervision): string {
  const cohort = buildCohort({ ...(agents && { agents }), supervision });
  return cohort.agents
    .map(({ name }) => `${name}<${teachersOf(cohort, agentOf(cohort, name), null).join('+')}`)
    .join(' ');
}

const ring = (direction: 'predecessor' | 'successor'): Supervision => ({ kind: 'ring', direction });

describe('teachersOf', () => {
  it('swaps two agents in either direction of the ring', () => {
    expect(teachersIn(['a', 'b'], ring('predecessor'))).toBe('a<b b<a');
    expect(teachersIn(['a', 'b'], ring('successor'))).toBe('a<b b<a');
  });

  it('closes a ring of three as the paper or as the reference code does', () => {
    expect(teachersIn(['a', 'b', 'c'], ring('predecessor'))).toBe('a<c b<a c<b');
    expect(teachersIn(['a', 'b', 'c'], ring('successor'))).toBe('a<b b<c c<a');
  });

  it('closes a ring of five in the order of the cohort, not of the names', () => {
    const agents = ['e', 'a', 'd', 'b', 'c'];
    expect(teachersIn(agents, ring('predecessor'))).toBe('e<c a<e d<a b<d c<b');
    expect(teachersIn(agents, ring('successor'))).toBe('e<a a<d d<b b<c c<e');
  });

  it('gives no teacher to an agent that is alone', () => {
    expect(teachersIn(['a'], ring('predecessor'))).toBe('a<');
    expect(teachersIn(['a'], { kind: 'peer-majority' })).toBe('a<');
  });

  it('gives all peers as teachers under peer-majority and pooled', () => {
    for (const kind of ['peer-majority', 'pooled'] as const) {
      expect(teachersIn(['a', 'b', 'c'], { kind })).toBe('a<b+c b<a+c c<a+b');
    }
  });

  it('gives the declared teachers of a graph, in the order of the cohort', () => {
    const teachers = { a: ['c', 'b'], b: ['a'] };
    expect(teachersIn(['a', 'b', 'c'], { kind: 'graph', teachers, aggregate: 'pooled' })).toBe(
      'a<b+c b<a c<',
    );
  });

  it('finds no teacher for agents named like object properties, unless declared', () => {
    const teachers = { toString: ['constructor'] };
    expect(teachersIn(['toString', 'constructor'], { kind: 'graph', teachers, aggregate: 'pooled' })).toBe(
      'toString<constructor constructor<',
    );
  });

  it('gives an agent of role teacher none, while it teaches in its place', () => {
    const agents = ['a', { name: 'b', role: 'teacher' as const }, 'c'];
    expect(teachersIn(agents, ring('predecessor'))).toBe('a<c b< c<b');
    expect(teachersIn(agents, { kind: 'peer-majority' })).toBe('a<b+c b< c<a+b');
  });
});
