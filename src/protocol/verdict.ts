import { z } from 'zod';
import type { Finding } from '../domain/verdict/finding.ts';
import { FINDING_CODES, FINDINGS, SEVERITIES, type Severity } from '../domain/verdict/findings-table.ts';

export const severitySchema = z
  .enum(SEVERITIES)
  .nullable()
  .meta({ description: 'Of the worst of them; null where nothing is wrong.' });

const findingSchema = z
  .object({
    code: z.enum(FINDING_CODES as [keyof typeof FINDINGS, ...(keyof typeof FINDINGS)[]]).meta({
      description: FINDING_CODES.map((code) => `\`${code}\`: ${FINDINGS[code].meaning}`).join(' '),
    }),
    severity: z.enum(SEVERITIES),
    agents: z.array(z.string()).meta({ description: 'Whom it is about.' }),
    since_ms_ago: z.int().nullable().meta({ description: 'For how long it is so, as far as is known.' }),
    message: z.string().meta({ description: 'What is wrong and what to do, for people.' }),
    figures: z.record(z.string(), z.number()).meta({ description: 'What it was concluded from.' }),
  })
  .meta({ id: 'Finding', description: 'One thing that is wrong; docs/findings.md describes each.' });

export const verdictSchema = z
  .object({
    severity: severitySchema,
    findings: z
      .array(findingSchema)
      .meta({ description: 'The most severe first; empty where nothing is wrong.' }),
  })
  .meta({ id: 'Verdict', description: 'What is wrong with a cohort, as this replica sees it.' });

export function toVerdict(findings: readonly Finding[], now: number): z.infer<typeof verdictSchema> {
  return {
    severity: worstOf(findings),
    findings: findings.map(({ code, severity, agents, since, message, figures }) => ({
      code,
      severity,
      agents: [...agents],
      since_ms_ago: since === null ? null : Math.max(0, Math.round(now - since)),
      message,
      figures: { ...figures },
    })),
  };
}

/** Null where nothing is wrong. */
export function worstOf(findings: readonly Finding[]): Severity | null {
  return findings.reduce<Severity | null>(
    (worst, { severity }) =>
      worst !== null && SEVERITIES.indexOf(worst) >= SEVERITIES.indexOf(severity) ? worst : severity,
    null,
  );
}

/** Sentences in one reply to a trainer. */
const MOST_NOTICES = 5;

/** What a trainer is told with its rewards, or while it waits. What is only worth knowing is left to those who look. */
export function toNotices(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity !== 'info')
    .slice(0, MOST_NOTICES)
    .map(({ message }) => message);
}
