import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';

/** How environment variables are called, and keys are not. */
const CONVENTIONAL = /^[A-Z][A-Z0-9]{0,31}(_[A-Z0-9]{1,31})*$/;

type KeySource = 'api_key_env' | 'api_key_file';

export type ReadKey =
  | { readonly kind: 'key'; readonly key: Secret | null }
  | { readonly kind: 'problem'; readonly setting: KeySource; readonly message: string };

/** The API key that the section names; null where it names none. `readFile` throws where it cannot read. */
export function readApiKey(
  section: Readonly<Record<string, unknown>>,
  env: Environment,
  readFile: (path: string) => string,
): ReadKey {
  const { api_key_env: variable, api_key_file: file } = section;
  if (variable !== undefined && file !== undefined) {
    return problem('api_key_file', 'the key comes from a variable or from a file, and both are given');
  }
  if (typeof variable === 'string') {
    const key = env[variable]?.trim() ?? '';
    if (key === '') {
      // People put the key itself here.
      const name = CONVENTIONAL.test(variable) ? variable : 'that it names';
      return problem('api_key_env', `the environment variable ${name} is not set`);
    }
    return { kind: 'key', key: new Secret(key) };
  }
  if (typeof file !== 'string') return { kind: 'key', key: null };
  const shown = /[./\\]/.test(file) ? `"${file}"` : 'the file that it names';
  try {
    const key = readFile(file).trim();
    if (key === '') return problem('api_key_file', `${shown} is empty`);
    if (/\s/.test(key)) return problem('api_key_file', `${shown} holds more than a key`);
    return { kind: 'key', key: new Secret(key) };
  } catch (error) {
    const cause = error instanceof Error ? error.message.replaceAll(file, '…') : String(error);
    return problem('api_key_file', `cannot read ${shown}: ${cause}`);
  }
}

function problem(setting: KeySource, message: string): ReadKey {
  return { kind: 'problem', setting, message };
}
