import type { Decision, Skip, Skipper } from '../../domain/close.ts';
import type { AgentName } from '../../domain/cohort.ts';
import { isUnreadable } from '../../domain/errors.ts';
import { holderAt } from '../../domain/find-stored.ts';
import { answerHolder, releaseHolder } from '../../domain/hold.ts';
import { NO_TRAIL } from '../../domain/step-trail.ts';
import type { BucketRef, HeldRef, SubmittedGroup } from '../store.ts';
import { closing, type Ending, ending, endingShort, holdingAgain, skipping } from './closing.ts';
import type { KnownCohort } from './known-cohort.ts';
import type { StoreParts } from './store-parts.ts';

/** Groups that are closed at a time when an agent leaves. */
const SLICE = 512;

/** A connection, and where it holds rollouts of an agent. */
type HeldBy = [known: KnownCohort, agent: AgentName, holder: string, held: readonly HeldRef[]];

/** Decides groups because their agent says so, and gives rollouts back that nobody waits for. */
export class Closer {
  readonly #parts: StoreParts;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  async release(...held: HeldBy): Promise<void> {
    await this.#end(releaseHolder, ...held);
  }

  async answer(...held: HeldBy): Promise<void> {
    await this.#end(answerHolder, ...held);
  }

  async #end(end: Ending, ...[known, agent, holder, held]: HeldBy): Promise<void> {
    const { prompts, receipts } = this.#parts;
    await Promise.all(
      held.map(({ promptId, round }) => {
        const rounds = round === null ? null : [round];
        return prompts.change(known, promptId, ending(end, agent, holder, rounds));
      }),
    );
    receipts.forget(holder);
  }

  async hold(
    known: KnownCohort,
    agent: AgentName,
    holder: string,
    groups: readonly SubmittedGroup[],
  ): Promise<void> {
    const { prompts } = this.#parts;
    await Promise.all(
      groups.map((group, place) =>
        prompts.change(known, group.promptId, holdingAgain(agent, group, holderAt(holder, place))),
      ),
    );
  }

  async skip(known: KnownCohort, skipper: Skipper, skips: readonly Skip[]) {
    const { prompts, activity } = this.#parts;
    const skipped = await Promise.all(
      skips.map((skip) => prompts.change(known, skip.promptId, skipping(skip, skipper))),
    );
    const refs = skipped.map(({ ref }) => ref);
    await activity.record(known, skipper.agent.name, { refs, rollouts: 0, sent: NO_TRAIL });
    return skipped;
  }

  async endShort(
    known: KnownCohort,
    agent: AgentName,
    refs: readonly BucketRef[],
    size: number,
  ): Promise<readonly Decision[]> {
    const decisions = await Promise.all(
      refs.map(({ promptId, round }) =>
        this.#parts.prompts.change(known, promptId, endingShort(round, agent, size)),
      ),
    );
    return decisions.filter((decision) => decision !== null);
  }

  async finish(known: KnownCohort, agent: AgentName): Promise<readonly Decision[]> {
    const { prompts, open, speakers } = this.#parts;
    // First the mark, then the list: who opens a bucket after the list was read finds the mark.
    await speakers.finish(known, agent);
    const refs = await open.list(known, Number.MAX_SAFE_INTEGER);
    const decisions: Decision[] = [];
    for (let at = 0; at < refs.length; at += SLICE) {
      const closed = await Promise.all(
        refs.slice(at, at + SLICE).map(({ promptId, round }) =>
          prompts.change(known, promptId, closing(round, agent, 'finish')).catch((error: unknown) => {
            // A prompt of another version is closed by a replica that reads it, or by its deadline.
            if (isUnreadable(error)) return null;
            throw error;
          }),
        ),
      );
      decisions.push(...closed.filter((decision) => decision !== null));
    }
    return decisions;
  }
}
