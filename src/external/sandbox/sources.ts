import { readFileSync } from 'node:fs';

/** What both kinds of interpreter are made of, each after those that it imports. */
const MODULES = [
  'records',
  'values',
  'canonical',
  'sharing',
  'names',
  'absent',
  'library',
  'body',
  'assemble',
  'program',
  'remote_program',
  'tests',
] as const;

/** The texts of these modules by their names, in the order in which they have to be loaded. */
export function readModules(): Record<string, string> {
  return Object.fromEntries(MODULES.map((name) => [name, readPython(name)]));
}

/** The text of one of our Python files. */
export function readPython(name: 'boot' | 'remote' | (typeof MODULES)[number]): string {
  return readFileSync(new URL(`python/${name}.py`, import.meta.url), 'utf8');
}

/** JSON of ASCII characters only, which cross as bytes. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
