import type { AgentName } from './cohort.ts';

/** What the bearer of a token may do. */
export type Grant =
  /** Everything. */
  | { readonly kind: 'admin' }
  /** Look at everything, change nothing. */
  | { readonly kind: 'reader' }
  /** Act as this one agent, and look at its cohort. */
  | { readonly kind: 'agent'; readonly cohort: string; readonly agent: AgentName };

/**
 * What a route asks of its caller: nothing, any token, to look, to act as an agent, or to administer. Looking and acting
 * are about the cohort and agent in the path.
 */
export type Need = 'nothing' | 'token' | 'look' | 'act' | 'administer';

/** The cohort and agent that a path names, where it does. */
export interface Target {
  readonly cohort?: string | undefined;
  readonly agent?: string | undefined;
}

/** Whether a grant is enough. An agent sees nothing beyond its own cohort, and never acts as another. */
export function isEnough(grant: Grant, need: Need, { cohort, agent }: Target): boolean {
  if (need === 'nothing' || need === 'token' || grant.kind === 'admin') return true;
  if (grant.kind === 'reader') return need === 'look';
  if (need === 'look') return grant.cohort === cohort;
  return need === 'act' && grant.cohort === cohort && grant.agent === agent;
}
