import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderConfigurationDocs } from '../../../scripts/generate-configuration-docs.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { methodOf } from '../../../src/methods/registry.ts';

const repositoryFile = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('docs/configuration.md is what the schemas say; else run scripts/generate-configuration-docs.ts', () => {
  expect(repositoryFile('docs/configuration.md')).toBe(renderConfigurationDocs());
});

describe('examples/cohorts.yaml', () => {
  const path = 'examples/cohorts.yaml';
  const loaded = loadConfig({ flags: { config: path }, env: {}, readFile: repositoryFile });
  const cohorts = loaded.ok ? loaded.config.cohorts : [];

  test('is a configuration', () => {
    expect(loaded).toMatchObject({ ok: true });
  });

  test('shows a ring of three, peer majority, a frozen teacher, TTRL and last-label', () => {
    expect(
      cohorts.map(({ name, method, supervision, barrier }) => [name, method, supervision.kind, barrier.mode]),
    ).toEqual([
      ['math-ring', 'co-rl', 'ring', 'sync'],
      ['math-peers', 'co-rl', 'peer-majority', 'sync'],
      ['math-teacher', 'co-rl', 'graph', 'sync'],
      ['math-ttrl', 'ttrl', 'ring', 'sync'],
      ['math-async', 'co-rl', 'ring', 'last-label'],
    ]);
  });

  test('gives every learner somebody to learn from', () => {
    const waits = cohorts.flatMap((cohort) =>
      cohort.agents
        .filter(({ role }) => role === 'learner')
        .map((agent) => methodOf(cohort.method).waitsFor(cohort, agent, null).length),
    );
    expect(waits).toHaveLength(3 + 4 + 2 + 1 + 2);
    expect(Math.min(...waits)).toBeGreaterThan(0);
  });
});
