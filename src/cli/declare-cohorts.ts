import type { Cohort } from '../domain/cohort.ts';
import { fewAgentsNotice } from '../protocol/plan.ts';
import type { Cohorts } from '../service/cohorts.ts';
import { isUnavailable } from '../service/owed-releases.ts';
import type { Logger } from '../service/telemetry.ts';

const RETRY_MS = 1_000;

/**
 * Makes the cohorts of the configuration; while the store is away again and again, without holding up the start. Throws
 * what is wrong with a cohort. Returns what stops the attempts.
 */
export async function declareCohorts(
  configured: readonly Cohort[],
  cohorts: Cohorts,
  logger: Logger,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  const attempt = async () => {
    for (const cohort of configured) {
      await cohorts.put(cohort);
      const notice = fewAgentsNotice(cohort);
      if (notice !== null) logger.warn({ cohort: cohort.name }, notice);
    }
  };
  const retry = () => {
    timer = setTimeout(() => {
      attempt().catch((error: unknown) => {
        if (isUnavailable(error)) retry();
        else logger.error({ err: error }, 'A cohort of the configuration could not be made.');
      });
    }, RETRY_MS);
  };
  try {
    await attempt();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    retry();
  }
  return () => clearTimeout(timer);
}
