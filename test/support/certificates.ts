import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of a test's own, and what it signed, as files. */
export class Certificates {
  readonly #folder = mkdtempSync(join(tmpdir(), 'peervote-ca-'));
  readonly ca = join(this.#folder, 'ca.crt');
  readonly #caKey = join(this.#folder, 'ca.key');

  constructor() {
    const name = ['-subj', '/CN=a test of PeerVote'];
    this.#openssl('req', '-x509', ...NEW_KEY, '-keyout', this.#caKey, '-out', this.ca, '-days', '2', ...name);
  }

  /** A certificate for names such as `DNS:localhost,IP:127.0.0.1`, and its key. */
  issue(names: string): { readonly cert: string; readonly key: string } {
    const file = names.replaceAll(/\W/g, '-');
    const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((kind) =>
      join(this.#folder, `${file}.${kind}`),
    ) as [string, string, string, string];
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    this.#openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', '/CN=redis');
    const signer = ['-CA', this.ca, '-CAkey', this.#caKey, '-CAcreateserial'];
    this.#openssl(
      'x509',
      '-req',
      '-in',
      request,
      ...signer,
      '-out',
      cert,
      '-days',
      '2',
      '-extfile',
      extensions,
    );
    return { cert, key };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
