import type { Cause } from '../../domain/bucket.ts';
import {
  type Closed,
  closeRound,
  type Decision,
  endShort,
  type Skip,
  type Skipper,
  skipPrompt,
} from '../../domain/close.ts';
import type { AgentName } from '../../domain/cohort.ts';
import { holdRollouts, type releaseHolder } from '../../domain/hold.ts';
import { touchRound } from '../../domain/kept-prompt.ts';
import { emptyPrompt, type PromptState } from '../../domain/prompt-state.ts';
import type { BucketRef, SubmittedGroup } from '../store.ts';
import type { Change } from './prompts.ts';

/** Decides one group, if it is open. */
export function closing(round: number, agent: AgentName, cause: Cause): Change<Decision | null> {
  return deciding(round, (prompt, now) => closeRound(prompt, round, agent, cause, now));
}

/** Decides one group that has stopped at `size` rollouts, if it is open. */
export function endingShort(round: number, agent: AgentName, size: number): Change<Decision | null> {
  return deciding(round, (prompt, now) => endShort(prompt, round, agent, size, now));
}

function deciding(
  round: number,
  decide: (prompt: PromptState, now: number) => Closed,
): Change<Decision | null> {
  return (kept, now) => {
    if (kept === null) return { kept, decided: [], result: null };
    const { prompt, decision } = decide(kept.state, now);
    if (decision === null) return { kept, decided: [], result: null };
    return { kept: touchRound(kept, prompt, round, now), decided: [decision.bucket], result: decision };
  };
}

/** Decides the group that a skip means, opened if need be. */
export function skipping(
  skip: Skip,
  skipper: Skipper,
): Change<{ readonly ref: BucketRef; readonly decision: Decision | null }> {
  return (kept, now) => {
    const before = kept?.state ?? emptyPrompt(skip.promptId);
    const { prompt, round, decision } = skipPrompt(before, skip, skipper, now);
    return {
      kept: touchRound(kept, prompt, round, now),
      decided: decision === null ? [] : [decision.bucket],
      result: { ref: { promptId: skip.promptId, round }, decision },
    };
  };
}

/** How a connection ends: gone without its rewards, or answered. */
export type Ending = typeof releaseHolder;

/** Ends a connection in these rounds; `rounds` null: in all, as when it is not known where it got to. */
export function ending(
  end: Ending,
  agent: AgentName,
  holder: string,
  rounds: readonly number[] | null,
): Change<void> {
  return (kept, now) => {
    let next = kept;
    for (const round of rounds ?? kept?.state.rounds.keys() ?? []) {
      if (next === null) break;
      const state = end(next.state, round, agent, holder);
      if (state !== next.state) next = touchRound(next, state, round, now);
    }
    return { kept: next, decided: [], result: undefined };
  };
}

/** Gives released rollouts to a connection that asks for them again. */
export function holdingAgain(
  agent: AgentName,
  { round, rolloutIds }: SubmittedGroup,
  holder: string,
): Change<void> {
  return (kept, now) => {
    if (kept === null) return { kept, decided: [], result: undefined };
    const state = holdRollouts(kept.state, round, agent, new Set(rolloutIds), holder);
    const next = state === kept.state ? kept : touchRound(kept, state, round, now);
    return { kept: next, decided: [], result: undefined };
  };
}
