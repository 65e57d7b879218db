import { dirname } from 'node:path';
import { type Breach, breachAt, type SourceFile } from './source-file.ts';

/** Folders that mean the same everywhere (a container's, a system's), so that naming one gives nothing away. */
const COMMON_FOLDERS = new Set([
  '/',
  '/app',
  '/data',
  '/home',
  '/mnt',
  '/opt',
  '/root',
  '/srv',
  '/tmp',
  '/usr',
  '/var',
]);

/** Where packages are served from. A project that names such a place installs from there alone. */
const REGISTRIES = [
  /registry\.(npmjs|yarnpkg)\.\w+/,
  /files\.pythonhosted\.org/,
  /\bpypi\.org\/simple/,
  /\bdeb\.(debian|nodesource)\.\w+/,
  /proxy\.golang\.org/,
];

/** The folders that only this checkout lies in: its own and the one above, each with a closing slash. */
export function pathsOfThisMachine(project: string): string[] {
  return [project, dirname(project)].filter((path) => !COMMON_FOLDERS.has(path)).map((path) => `${path}/`);
}

/** What a file gives away of where it was made: paths of the machine, addresses of package registries. */
export function findTraces(file: SourceFile, machinePaths: readonly string[]): Breach[] {
  const paths = machinePaths.map((path) => ({ at: file.text.indexOf(path), what: `names ${path}` }));
  const hosts = REGISTRIES.map((host) => ({
    at: file.text.search(host),
    what: `names the registry ${host.source}`,
  }));
  return [...paths, ...hosts].filter(({ at }) => at >= 0).map(({ at, what }) => breachAt(file, at, what));
}
