import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Issue } from './problems.ts';

/** What TLS to Redis goes by, as PEM; null: the CAs that Node knows, and no certificate of our own. */
export interface RedisTls {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

type TlsKey = 'tls_ca_file' | 'tls_cert_file' | 'tls_key_file';

export type RedisTlsFiles = { readonly [Key in TlsKey]?: unknown };

/** What must be in each file; throws where it is not. */
const CHECKS: Readonly<Record<TlsKey, (text: string) => unknown>> = {
  tls_ca_file: (text) => new X509Certificate(text),
  tls_cert_file: (text) => new X509Certificate(text),
  tls_key_file: createPrivateKey,
};

const EXPECTED: Readonly<Record<TlsKey, string>> = {
  tls_ca_file: 'certificates as PEM',
  tls_cert_file: 'a certificate as PEM',
  tls_key_file: 'an unencrypted private key as PEM',
};

/** Reads the files of the section `redis`. `readFile` throws where there is none. */
export function loadRedisTls(
  files: RedisTlsFiles & { readonly url?: unknown },
  readFile: (path: string) => string,
): { readonly tls: RedisTls; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const complain = (key: TlsKey, message: string) => issues.push({ path: ['redis', key], message });
  const read = (key: TlsKey): string | null => {
    const path = files[key];
    if (typeof path !== 'string' || path === '') return null;
    if (typeof files.url === 'string' && !files.url.startsWith('rediss')) {
      complain(key, 'nothing reads it without TLS: give a URL that begins with rediss');
      return null;
    }
    let text: string;
    try {
      text = readFile(path);
    } catch (error) {
      complain(key, `cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
    try {
      CHECKS[key](text);
      return text;
    } catch {
      complain(key, `expected ${EXPECTED[key]} in "${path}"`);
      return null;
    }
  };
  const tls = { ca: read('tls_ca_file'), cert: read('tls_cert_file'), key: read('tls_key_file') };
  const hasCert = files.tls_cert_file !== undefined;
  if (hasCert !== (files.tls_key_file !== undefined)) {
    const [given, missing] = hasCert
      ? (['tls_cert_file', 'tls_key_file'] as const)
      : (['tls_key_file', 'tls_cert_file'] as const);
    complain(given, `a certificate and its key go together: give ${missing} too`);
  }
  return { tls, issues };
}
