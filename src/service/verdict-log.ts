import { type Finding, identify } from '../domain/verdict/finding.ts';
import type { Logger } from './telemetry.ts';

/** How often what goes on being wrong is said again. */
const REPEAT_EVERY_MS = 300_000;

interface Known {
  readonly finding: Finding;
  readonly saidAt: number;
}

/** What was wrong with a cohort at the last look: since when, and whether the log has been told. */
export class VerdictLog {
  readonly #cohort: string;
  readonly #logger: Logger;
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(cohort: string, logger: Logger) {
    this.#cohort = cohort;
    this.#logger = logger;
  }

  get findings(): readonly Finding[] {
    return [...this.#known.values()].map(({ finding }) => finding);
  }

  /** Takes what is wrong now. It is logged when it is new, again every 5 minutes, and when it is over. */
  take(findings: readonly Finding[], now: number): void {
    const before = this.#known;
    this.#known = new Map(
      findings.map((found) => {
        const known = before.get(identify(found));
        const since = found.since ?? known?.finding.since ?? now;
        const finding = { ...found, since };
        const isDue = known === undefined || now - known.saidAt >= REPEAT_EVERY_MS;
        if (isDue) this.#say(finding);
        return [identify(found), { finding, saidAt: isDue ? now : known.saidAt }];
      }),
    );
    for (const [identity, { finding }] of before) {
      if (!this.#known.has(identity)) {
        this.#logger.info(this.#fieldsOf(finding), `No longer so: ${finding.message}`);
      }
    }
  }

  #say(finding: Finding): void {
    const fields = { ...this.#fieldsOf(finding), figures: finding.figures };
    if (finding.severity === 'info') this.#logger.info(fields, finding.message);
    else this.#logger.warn(fields, finding.message);
  }

  #fieldsOf({ code, severity, agents }: Finding) {
    return { cohort: this.#cohort, code, severity, agents };
  }
}
