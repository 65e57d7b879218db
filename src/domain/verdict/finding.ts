import type { AgentName } from '../cohort.ts';
import { FINDING_CODES, FINDINGS, type FindingCode, SEVERITIES, type Severity } from './findings-table.ts';

/** One thing that is wrong with a cohort, in words for the person who started it. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Whom it is about, in the order in which the sentence names them. */
  readonly agents: readonly AgentName[];
  /** Since when it is so, in milliseconds of the store's clock; null where the figures do not tell. */
  readonly since: number | null;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** What it was concluded from. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A finding with the severity of its code. */
export function findingOf(code: FindingCode, finding: Omit<Finding, 'code' | 'severity'>): Finding {
  return { code, severity: FINDINGS[code].severity, ...finding };
}

/** The most severe first, and among those in the order of the table. */
export function bySeverity(one: Finding, other: Finding): number {
  const severity = SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity);
  return severity || FINDING_CODES.indexOf(one.code) - FINDING_CODES.indexOf(other.code);
}

/** Names a finding while it lasts: what it is, and whom it is about. */
export function identify({ code, agents }: Finding): string {
  return JSON.stringify([code, ...agents]);
}
