import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COHORT } from './dashboards/cohort.ts';
import { type Dashboard, toGrafana } from './dashboards/panel.ts';
import { SERVICE } from './dashboards/service.ts';

const FOLDER = new URL('../helm/peervote/files/dashboards/', import.meta.url);

/** The dashboards by the name of their file. */
export const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  'cohort.json': COHORT,
  'service.json': SERVICE,
};

/** The text of a dashboard's file. */
export function renderDashboard(dashboard: Dashboard): string {
  return `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, dashboard] of Object.entries(DASHBOARDS)) {
    writeFileSync(new URL(file, FOLDER), renderDashboard(dashboard));
  }
}
