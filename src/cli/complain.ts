import { Redaction } from '../observability/redaction.ts';

/** Tells a person at the terminal what is wrong, without secrets in it. */
export function complain(text: string, secrets: readonly string[] = []): void {
  process.stderr.write(`${new Redaction(secrets).clean(text)}\n`);
}
