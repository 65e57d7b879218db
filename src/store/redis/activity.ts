import type { AgentName, Cohort } from '../../domain/cohort.ts';
import { isUnreadable } from '../../domain/errors.ts';
import { NO_TRAIL, noteStep, type StepTrail } from '../../domain/step-trail.ts';
import type { BucketRef } from '../store.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { type CheckedList, parseList, UnreadableValueError } from './checked-list.ts';
import type { KnownCohort } from './known-cohort.ts';
import { readVersioned, type Tokens } from './tokens.ts';

const FORMAT = '1';
/** Places of a list without a trail, as the first versions wrote it; those that read it leave out what comes after. */
const PLACES_AT_FIRST = 3;
const RECENT_PROMPTS = 256;
/** It says what an agent does lately, so it need not outlive a long pause. */
const TTL_MS = 7 * 86_400_000;

/** What one agent sent lately. */
export interface Arrivals {
  readonly rollouts: number;
  readonly lastArrivalAt: number | null;
  /** Each once, newest last. */
  readonly recentPrompts: readonly BucketRef[];
  readonly trail: StepTrail;
}

const NOTHING: Arrivals = { rollouts: 0, lastArrivalAt: null, recentPrompts: [], trail: NO_TRAIL };

interface Recorded {
  readonly refs: readonly BucketRef[];
  /** New ones. */
  readonly rollouts: number;
  /** Who sent them, and at which step. */
  readonly sent: Omit<StepTrail, 'rewind'>;
}

interface Lane {
  waiting: {
    readonly recorded: Recorded;
    readonly resolve: () => void;
    readonly reject: (e: unknown) => void;
  }[];
}

/** What every agent sent lately: one value each, which this process changes once at a time. */
export class Activity {
  readonly #caller: Caller;
  readonly #tokens: Tokens;
  readonly #lanes = new Map<string, Lane>();

  constructor(caller: Caller, tokens: Tokens) {
    this.#caller = caller;
    this.#tokens = tokens;
  }

  async read({ keys, cohort }: KnownCohort): Promise<ReadonlyMap<AgentName, Arrivals>> {
    const agents = cohort.agents.map(({ name }) => name);
    const names = agents.map(keys.activity);
    const reply = await runOne(this.#caller, callScript('valuesRead', names, [this.#caller.now()]));
    const [, , ...values] = reply as unknown[];
    return new Map(agents.map((agent, at) => [agent, this.#readOr(names[at] ?? '', values[at])]));
  }

  /** What people look at need not fail for one agent whose record is of another version. */
  #readOr(key: string, found: unknown): Arrivals {
    try {
      return this.#read(key, found).arrivals;
    } catch (error) {
      if (isUnreadable(error)) return NOTHING;
      throw error;
    }
  }

  #read(key: string, found: unknown): { readonly token: string; readonly arrivals: Arrivals } {
    return readAs(this.#caller, key, () => {
      const { token, value } = readVersioned(found);
      return { token, arrivals: unpackArrivals(value) };
    });
  }

  /** Says nothing where the record is of another version: it stays as it is, and no submission fails for it. */
  record({ keys }: KnownCohort, agent: AgentName, recorded: Recorded): Promise<void> {
    const key = keys.activity(agent);
    return new Promise((resolve, reject) => {
      const entry = { recorded, resolve, reject };
      const lane = this.#lanes.get(key);
      if (lane !== undefined) {
        lane.waiting.push(entry);
        return;
      }
      const fresh: Lane = { waiting: [entry] };
      this.#lanes.set(key, fresh);
      void this.#drive(key, fresh);
    });
  }

  async #drive(key: string, lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      const batch = lane.waiting;
      lane.waiting = [];
      try {
        await this.#write(
          key,
          batch.map(({ recorded }) => recorded),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { resolve, reject } of batch) {
          if (isUnreadable(error)) resolve();
          else reject(error);
        }
      }
    }
    this.#lanes.delete(key);
  }

  async #write(key: string, records: readonly Recorded[]): Promise<void> {
    for (;;) {
      const reply = await runOne(this.#caller, callScript('valuesRead', [key], [this.#caller.now()]));
      const [, now, found] = reply as [string, number, unknown];
      const { token, arrivals } = this.#read(key, found);
      const next = pack(records.reduce((before, recorded) => add(before, recorded, now), arrivals));
      const { publish } = this.#caller;
      const args = [token, this.#tokens.next() + next, TTL_MS, publish, '', ''];
      const swapped = await runOne(this.#caller, callScript('valueSwap', [key], args));
      if ((swapped as unknown[])[0] === 'ok') return;
    }
  }
}

/** Activity of an agent of this cohort; what it was given where nothing is known. */
export function arrivalsOf(
  known: ReadonlyMap<AgentName, Arrivals> | null,
  agent: Cohort['agents'][number],
): Arrivals {
  return known?.get(agent.name) ?? NOTHING;
}

function add({ rollouts, recentPrompts, trail }: Arrivals, recorded: Recorded, now: number): Arrivals {
  const recent = new Map(recentPrompts.map((ref) => [keyOf(ref), ref]));
  for (const { promptId, round } of recorded.refs) {
    const key = keyOf({ promptId, round });
    recent.delete(key);
    recent.set(key, { promptId, round });
  }
  return {
    rollouts: rollouts + recorded.rollouts,
    lastArrivalAt: now,
    recentPrompts: [...recent.values()].slice(-RECENT_PROMPTS),
    trail: recorded.rollouts > 0 ? noteStep(trail, recorded.sent, now) : trail,
  };
}

function keyOf({ promptId, round }: BucketRef): string {
  return `${round}:${promptId}`;
}

function pack({ rollouts, lastArrivalAt, recentPrompts, trail }: Arrivals): string {
  const { step, incarnation, rewind } = trail;
  return (
    FORMAT +
    JSON.stringify([
      rollouts,
      lastArrivalAt,
      recentPrompts.flatMap((ref) => [ref.promptId, ref.round]),
      step,
      incarnation,
      rewind === null ? [] : [rewind.from, rewind.to, rewind.at],
    ])
  );
}

/** Null: nothing is known. Throws UnreadableValueError. */
export function unpackArrivals(packed: string | null): Arrivals {
  if (packed === null) return NOTHING;
  if (packed[0] !== FORMAT)
    throw new UnreadableValueError(`unknown format "${packed[0]}" of an agent's activity`);
  const whole = parseList(packed.slice(1));
  const recent = whole.list(2);
  return {
    rollouts: whole.number(0),
    lastArrivalAt: whole.numberOrNull(1),
    recentPrompts: Array.from({ length: recent.length / 2 }, (_, at) => ({
      promptId: recent.text(2 * at),
      round: recent.number(2 * at + 1),
    })),
    trail: whole.length === PLACES_AT_FIRST ? NO_TRAIL : unpackTrail(whole),
  };
}

function unpackTrail(whole: CheckedList): StepTrail {
  const rewind = whole.list(5);
  return {
    step: whole.numberOrNull(3),
    incarnation: whole.textOrNull(4),
    rewind:
      rewind.length === 0 ? null : { from: rewind.number(0), to: rewind.number(1), at: rewind.number(2) },
  };
}
