import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DASHBOARDS, renderDashboard } from '../../scripts/generate-dashboards.ts';
import { METRICS } from '../../src/observability/metrics-table.ts';
import { PROJECT } from '../architecture/source-file.ts';

const FILES = join(PROJECT, 'helm/peervote/files');
const alerts = readFileSync(join(FILES, 'alerts.yaml'), 'utf8');
const rules: {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
  labels: Record<string, string>;
}[] = parse(alerts).groups.flatMap(({ rules: of }: { rules: object[] }) => of);
const queries = Object.values(DASHBOARDS).flatMap(({ panels }) =>
  panels.flatMap((panel) => panel.queries.map(([expression]) => expression)),
);

/** The metrics of ours that an expression names, without the endings that Prometheus gives a histogram. */
function named(expressions: readonly string[]): Set<string> {
  const names = expressions.flatMap((expression) => expression.match(/\bpeervote_\w+/g) ?? []);
  return new Set(names.map((name) => (name in METRICS ? name : name.replace(/_(?:bucket|sum|count)$/, ''))));
}

describe('the dashboards', () => {
  it('in the chart are those that the scripts write', () => {
    expect(readdirSync(join(FILES, 'dashboards')).sort()).toEqual(Object.keys(DASHBOARDS).sort());
    for (const [file, dashboard] of Object.entries(DASHBOARDS)) {
      expect(readFileSync(join(FILES, 'dashboards', file), 'utf8'), 'run npm run dashboards').toBe(
        renderDashboard(dashboard),
      );
    }
  });

  it('and the alerts name every metric there is, and no other', () => {
    expect([...named([...queries, ...rules.map(({ expr }) => expr)])].sort()).toEqual(
      Object.keys(METRICS).sort(),
    );
  });

  it('use only labels that their metrics have', () => {
    const known = new Set([...Object.values(METRICS).flatMap(({ labels }) => [...labels]), 'le', 'instance']);
    for (const expression of [...queries, ...rules.map(({ expr }) => expr)]) {
      for (const [, labels = ''] of expression.matchAll(/\b(?:by|on) \(([\w, ]*)\)/g)) {
        for (const label of labels.split(',')) expect(known, expression).toContain(label.trim());
      }
    }
  });
});

describe('the alerts', () => {
  it('are taken by Prometheus and fire when, and only when, they should', () => {
    execFileSync('promtool', ['check', 'rules', join(FILES, 'alerts.yaml')], { stdio: 'pipe' });
    execFileSync('promtool', ['test', 'rules', join(PROJECT, 'test/fixtures/alerts.test.yaml')], {
      stdio: 'pipe',
    });
  });

  it('are each tested, and each lead to a section of the runbook', () => {
    const tested = readFileSync(join(PROJECT, 'test/fixtures/alerts.test.yaml'), 'utf8');
    const runbook = readFileSync(join(PROJECT, 'docs/runbook.md'), 'utf8');
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, title = '']) => title);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations, labels } of rules) {
      expect(tested).toContain(`alertname: ${alert}\n        exp_alerts:\n          - exp_labels`);
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(['warning', 'critical']).toContain(labels.severity);
    }
  });

  it('hold nothing that Helm would take for a template of its own', () => {
    // The chart includes the file as text, so that Prometheus gets its own templates untouched.
    expect(readFileSync(join(PROJECT, 'helm/peervote/templates/prometheusrule.yaml'), 'utf8')).toContain(
      '.Files.Get',
    );
  });
});
