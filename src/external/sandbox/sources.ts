import { readFileSync } from 'node:fs';

/** The text of one of our Python files. */
export function readPython(name: 'boot' | 'program' | 'remote' | 'tests' | 'values'): string {
  return readFileSync(new URL(`python/${name}.py`, import.meta.url), 'utf8');
}

/** JSON of ASCII characters only, which cross as bytes. */
export function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
