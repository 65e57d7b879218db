import type { AgentName } from './cohort.ts';

/** A completion that is kept for people to read. The vote never sees it. */
export interface Sample {
  readonly promptId: string;
  readonly round: number;
  readonly agent: AgentName;
  readonly rolloutId: string;
  readonly incarnation: string | null;
  readonly answer: string | null;
  readonly key: string | null;
  /** The completion, or its head and its tail. */
  readonly text: string;
  /** What was left out: so many characters at this place of `text`; null: nothing. */
  readonly cut: { readonly at: number; readonly characters: number } | null;
  /** Where the answer stands in `text`, `text.slice(start, end)`; null with a reason in `note`. */
  readonly span: { readonly start: number; readonly end: number } | null;
  readonly note: string | null;
  /** The problem as the trainer sent it, or the end of the prompt; absent where it sent neither. */
  readonly problem?: string;
}

/** Completions that are kept of one cohort, of all its agents together. */
const SAMPLES_KEPT = 200;
/** Fewer are of no use to anybody, however many agents there are. */
const LEAST_PER_AGENT = 8;

/** How long completions are kept after the last one that came. */
export const SAMPLES_TTL_MS = 24 * 3_600_000;

/** Completions that are kept of each agent, the latest. */
export function samplesPerAgent(agents: number): number {
  return Math.max(LEAST_PER_AGENT, Math.floor(SAMPLES_KEPT / agents));
}
