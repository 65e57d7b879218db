import type { Group } from './bucket.ts';
import type { Cohort } from './cohort.ts';

/**
 * Whether an agent may see what others answered in a round: once all its own rollouts are in, so that none of them can be
 * made from it. A group that was decided with fewer does not do: late rollouts are paid as well, and an agent could skip a
 * prompt to read it.
 */
export function seesOthers({ reveal }: Pick<Cohort, 'reveal'>, own: Group | undefined): boolean {
  return reveal === 'always' || (own !== undefined && own.rollouts.length >= own.k);
}
