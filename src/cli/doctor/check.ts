/** What one check found. `skip`: it could not be made, and its sentence says what for. */
export interface Check {
  readonly status: 'ok' | 'warn' | 'FAIL' | 'skip';
  readonly name: string;
  /** What was found, and what to do about it. */
  readonly says: string;
}

export const ok = (name: string, says: string): Check => ({ status: 'ok', name, says });
export const warn = (name: string, says: string): Check => ({ status: 'warn', name, says });
export const fail = (name: string, says: string): Check => ({ status: 'FAIL', name, says });
export const skip = (name: string, says: string): Check => ({ status: 'skip', name, says });

/** 0 when nothing failed, else 1. */
export function exitCodeOf(checks: readonly Check[]): number {
  return checks.some(({ status }) => status === 'FAIL') ? 1 : 0;
}

/** A line for each check in aligned columns, and how many there were of each. */
export function formatChecks(checks: readonly Check[]): string {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const lines = checks.map(({ status, name, says }) => `${status.padEnd(4)}  ${name.padEnd(width)}  ${says}`);
  return `${[...lines, '', summarize(checks)].join('\n')}\n`;
}

/** The same for programs. */
export function checksToJson(checks: readonly Check[]): string {
  return `${JSON.stringify({ ok: exitCodeOf(checks) === 0, checks }, null, 2)}\n`;
}

function summarize(checks: readonly Check[]): string {
  const counts = (['ok', 'warn', 'FAIL', 'skip'] as const).map(
    (status) => `${checks.filter((check) => check.status === status).length} ${status}`,
  );
  return `${checks.length} checks: ${counts.join(', ')}`;
}

/** A text of a data set, to be shown in a sentence: on one line, and not long. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().toWellFormed();
  return `"${line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line}"`;
}
