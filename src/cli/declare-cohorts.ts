import type { Cohort } from '../domain/cohort.ts';
import { fewAgentsNotice } from '../protocol/plan.ts';
import type { Cohorts } from '../service/cohorts.ts';
import { isStoreTrouble, isUnavailable } from '../service/store-troubles.ts';
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
  let waiting = [...configured];
  for (const { name } of waiting) cohorts.expect(name);
  /** Each for itself: what is wrong with one keeps no other from being made. */
  const attempt = async (refused: (error: unknown) => void) => {
    const later: Cohort[] = [];
    for (const cohort of waiting) {
      try {
        await cohorts.put(cohort);
        const notice = fewAgentsNotice(cohort);
        if (notice !== null) logger.warn({ cohort: cohort.name }, notice);
      } catch (error) {
        if (isStoreTrouble(error)) later.push(cohort);
        else refused(error);
        // One of another version is there: whoever asks for it is told so.
        if (isUnavailable(error)) continue;
      }
      cohorts.settle(cohort.name);
    }
    waiting = later;
    if (later.length > 0) timer = setTimeout(retry, RETRY_MS);
  };
  const retry = () => {
    void attempt((error) => logger.error({ err: error }, 'A cohort of the configuration could not be made.'));
  };
  const faults: unknown[] = [];
  await attempt((error) => faults.push(error));
  if (faults.length > 0) {
    clearTimeout(timer);
    throw faults[0];
  }
  return () => clearTimeout(timer);
}
