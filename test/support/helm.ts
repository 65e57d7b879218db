import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { PROJECT } from '../architecture/source-file.ts';

/** Where scripts/install-tools.sh puts helm. */
const HELM = join(PROJECT, 'node_modules/.cache/peervote/helm-4.1.4/helm');

export const CHART = join(PROJECT, 'helm/peervote');

/** A Kubernetes object as the chart renders it. */
export interface Manifest {
  readonly kind: string;
  readonly [part: string]: unknown;
}

/** What lies at a dotted path of an object, as in `spec.containers.0.env`; undefined where the path ends early. */
export function at<T = string>(object: unknown, path: string): T {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], object);
  return value as T;
}

export function nameOf(object: Manifest): string {
  return at(object, 'metadata.name');
}

/** Runs helm on the chart; throws what it complains about. */
export function helm(...args: readonly string[]): string {
  if (!existsSync(HELM)) throw new Error('helm is missing: run npm run tools');
  try {
    return execFileSync(HELM, args, { cwd: CHART, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(String((error as { stderr?: string }).stderr ?? error));
  }
}

/** All objects of a release called `run` with these values files and settings. */
export function render(values: readonly string[] = [], ...settings: readonly string[]): readonly Manifest[] {
  const files = values.flatMap((name) => ['--values', join(CHART, 'ci', `${name}-values.yaml`)]);
  const text = helm('template', 'run', '.', ...files, ...settings.flatMap((each) => ['--set-json', each]));
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null);
}

/** The one object of this kind (and name). */
export function pick(objects: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = objects.filter(
    (object) => object.kind === kind && (name ?? nameOf(object)) === nameOf(object),
  );
  const [object] = found;
  if (object === undefined || found.length > 1) throw new Error(`${found.length} objects of kind ${kind}`);
  return object;
}
