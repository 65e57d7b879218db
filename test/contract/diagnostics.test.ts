import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_AGENT_COUNTS } from '../../src/domain/diagnostics/counters.ts';
import { agentFigures, pairFigures, referenceRates } from '../../src/domain/diagnostics/figures.ts';
import { Tally } from '../../src/domain/diagnostics/tally.ts';
import { buildCohort } from '../support/builders.ts';
import { readTable } from './markdown-table.ts';

const text = readFileSync(new URL('../../docs/diagnostics.md', import.meta.url), 'utf8');
/** From the heading on that begins so. */
const section = (heading: string) => text.slice(text.indexOf(`\n## ${heading}`));
const namesIn = (cells: readonly string[]) =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

describe('docs/diagnostics.md', () => {
  it('defines exactly the figures that there are, of agents and of pairs', () => {
    const cohort = buildCohort({ method: 'ground-truth' });
    const ofAgents = readTable(section('Figures of an agent'), 'metric').map(([name = '']) => name);
    expect(namesIn(ofAgents)).toEqual(agentFigures(cohort, 'a', NO_AGENT_COUNTS, null).names);
    const ofPairs = readTable(section('Figures of a pair'), 'metric').map(([name = '']) => name);
    expect(namesIn(ofPairs)).toEqual(pairFigures('a', 'b', null).names);
  });

  it('lists the names of the reference of every method that has one', () => {
    const listed = namesIn(
      readTable(section('Names of the reference'), 'method').map(([, name = '']) => name),
    );
    const known = (['co-rl', 'ttrl'] as const).flatMap((method) => [
      ...referenceRates(buildCohort({ method }), 'a', new Tally()).keys(),
    ]);
    expect(listed.slice(0, known.length)).toEqual(known);
    expect(listed.slice(known.length).every((name) => name?.startsWith('coreward/'))).toBe(true);
  });
});
