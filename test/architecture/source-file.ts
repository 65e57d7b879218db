import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The top folder of the project. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/** A text file of the project; `path` is relative to the top and has forward slashes. */
export type SourceFile = { readonly path: string; readonly text: string };

/** What a breach of a rule looks like: `path:line what is wrong`. */
export type Breach = string;

/** Folders that are installed, built or kept by tools, at any depth; no source lies in them. */
export const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.venv', '__pycache__']);

/** Every file below a folder, as sorted paths from there; folders of the given names are passed over at any depth. */
export function filesBelow(folder: string, passedOver: ReadonlySet<string> = new Set()): string[] {
  const walk = (path: string): string[] =>
    readdirSync(join(folder, path), { withFileTypes: true })
      .filter((entry) => !passedOver.has(entry.name))
      .flatMap((entry) => (entry.isDirectory() ? walk(join(path, entry.name)) : [join(path, entry.name)]));
  return walk('').sort();
}

/** Every file of the project that people wrote or that is checked in. */
export function projectFiles(): string[] {
  return filesBelow(PROJECT, NOT_OURS);
}

/** The TypeScript files of the project whose path begins with `prefix`. */
export function readSources(prefix = ''): SourceFile[] {
  return projectFiles()
    .filter((path) => path.startsWith(prefix) && path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }));
}

/** The breach of a rule at an offset into a file. */
export function breachAt(file: SourceFile, offset: number, wrong: string): Breach {
  const line = file.text.slice(0, offset).split('\n').length;
  return `${file.path}:${line} ${wrong}`;
}
