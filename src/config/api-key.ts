import type { Environment } from './environment.ts';
import { Secret } from './secret.ts';

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
    if (key === '') return problem('api_key_env', `the environment variable ${variable} is not set`);
    return { kind: 'key', key: new Secret(key) };
  }
  if (typeof file !== 'string') return { kind: 'key', key: null };
  try {
    const key = readFile(file).trim();
    if (key === '') return problem('api_key_file', `"${file}" is empty`);
    if (/\s/.test(key)) return problem('api_key_file', `"${file}" holds more than a key`);
    return { kind: 'key', key: new Secret(key) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return problem('api_key_file', `cannot read "${file}": ${cause}`);
  }
}

function problem(setting: KeySource, message: string): ReadKey {
  return { kind: 'problem', setting, message };
}
