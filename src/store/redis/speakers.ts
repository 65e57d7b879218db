import type { AgentName } from '../../domain/cohort.ts';
import type { Registration } from '../store.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { parseList, UnreadableValueError } from './checked-list.ts';
import type { KnownCohort } from './known-cohort.ts';
import { encodeNotice } from './notices.ts';
import { readVersioned, type Tokens } from './tokens.ts';

const FORMAT = '1';
const KNOWN_INCARNATIONS = 64;
/** Who speaks is known from the registration that comes before every submission, if that was just now. */
const FRESH_MS = 100;
/** Agents that were silent for so long are forgotten, with the incarnations that they outdated. */
const TTL_MS = 7 * 86_400_000;

interface Speaker {
  /** Oldest first; the last one speaks. */
  readonly incarnations: readonly string[];
  readonly finished: boolean;
}

type SpeakerMap = ReadonlyMap<AgentName, Speaker>;

const SILENT: Speaker = { incarnations: [], finished: false };

/** Which incarnation speaks for each agent, and who has left. One small value for a cohort. */
export class Speakers {
  readonly #caller: Caller;
  readonly #tokens: Tokens;
  readonly #origin: string;
  /** As of the last registration here, by generation. */
  readonly #latest = new Map<string, { readonly speakers: SpeakerMap; readonly at: number }>();

  constructor(caller: Caller, tokens: Tokens, origin: string) {
    this.#caller = caller;
    this.#tokens = tokens;
    this.#origin = JSON.stringify(origin);
  }

  /** By agent; who never spoke is not there. */
  async read(known: KnownCohort): Promise<SpeakerMap> {
    return (await this.#load(known)).speakers;
  }

  /** The same, which may be as old as a submission is from its registration. */
  async readRecent(known: KnownCohort): Promise<SpeakerMap> {
    const latest = this.#latest.get(known.generation);
    const isFresh = latest !== undefined && performance.now() - latest.at < FRESH_MS;
    return isFresh ? latest.speakers : this.read(known);
  }

  async register(known: KnownCohort, agent: AgentName, incarnation: string | null): Promise<Registration> {
    const { registration, speakers } = await this.#register(known, agent, incarnation);
    this.#latest.set(known.generation, { speakers, at: performance.now() });
    return registration;
  }

  async #register(
    known: KnownCohort,
    agent: AgentName,
    incarnation: string | null,
  ): Promise<{ readonly registration: Registration; readonly speakers: SpeakerMap }> {
    for (;;) {
      const { token, speakers } = await this.#load(known);
      const speaker = speakers.get(agent) ?? SILENT;
      const { registration, next } = registerAt(speaker, incarnation);
      if (next === speaker) return { registration, speakers };
      const isRestart = registration.kind === 'new' && registration.previous !== null && incarnation !== null;
      const notice = isRestart
        ? encodeNotice({ kind: 'restarted', cohort: known.cohort.name, agent, incarnation })
        : '';
      const changed = new Map(speakers).set(agent, next);
      if (await this.#swap(known, token, changed, notice)) return { registration, speakers: changed };
    }
  }

  async finish(known: KnownCohort, agent: AgentName): Promise<void> {
    this.#latest.delete(known.generation);
    for (;;) {
      const { token, speakers } = await this.#load(known);
      const speaker = speakers.get(agent) ?? SILENT;
      if (speaker.finished) return;
      const changed = new Map(speakers).set(agent, { ...speaker, finished: true });
      if (await this.#swap(known, token, changed, '')) return;
    }
  }

  forget(generation: string): void {
    this.#latest.delete(generation);
  }

  async #load({ keys }: KnownCohort): Promise<{ readonly token: string; readonly speakers: SpeakerMap }> {
    const reply = await runOne(this.#caller, callScript('valuesRead', [keys.speakers], [this.#caller.now()]));
    return readAs(this.#caller, keys.speakers, () => {
      const { token, value } = readVersioned((reply as unknown[])[2]);
      return { token, speakers: value === null ? new Map() : unpackSpeakers(value) };
    });
  }

  async #swap(known: KnownCohort, token: string, speakers: SpeakerMap, notice: string): Promise<boolean> {
    const { keys } = known;
    const message = notice === '' ? '' : `[${this.#origin},${notice}]`;
    const value = this.#tokens.next() + packSpeakers(speakers);
    const reply = await runOne(
      this.#caller,
      callScript(
        'valueSwap',
        [keys.speakers],
        [token, value, TTL_MS, this.#caller.publish, keys.channel, message],
      ),
    );
    return (reply as unknown[])[0] === 'ok';
  }
}

/** Agents that have left. */
export function finishedOf(speakers: SpeakerMap): ReadonlySet<AgentName> {
  return new Set([...speakers].filter(([, { finished }]) => finished).map(([agent]) => agent));
}

export function incarnationOf(speakers: SpeakerMap, agent: AgentName): string | null {
  return speakers.get(agent)?.incarnations.at(-1) ?? null;
}

function registerAt(
  speaker: Speaker,
  incarnation: string | null,
): { readonly registration: Registration; readonly next: Speaker } {
  const { incarnations, finished } = speaker;
  const latest = incarnations.at(-1) ?? null;
  // Who never named an incarnation cannot name a new one: that it speaks again is all there is to go by.
  if (incarnation === null) {
    const comesBack = finished && latest === null;
    return {
      registration: { kind: 'current' },
      next: comesBack ? { incarnations, finished: false } : speaker,
    };
  }
  if (incarnation === latest) return { registration: { kind: 'current' }, next: speaker };
  if (latest !== null && incarnations.includes(incarnation)) {
    return { registration: { kind: 'stale', latest }, next: speaker };
  }
  const next = { incarnations: [...incarnations, incarnation].slice(-KNOWN_INCARNATIONS), finished: false };
  return { registration: { kind: 'new', previous: latest }, next };
}

function packSpeakers(speakers: SpeakerMap): string {
  const rows = [...speakers].map(([agent, { incarnations, finished }]) => [
    agent,
    finished ? 1 : 0,
    ...incarnations,
  ]);
  return FORMAT + JSON.stringify(rows);
}

function unpackSpeakers(packed: string): SpeakerMap {
  if (packed[0] !== FORMAT) throw new UnreadableValueError(`unknown format "${packed[0]}" of speakers`);
  const speakers = new Map<AgentName, Speaker>();
  for (const row of parseList(packed.slice(1)).lists()) {
    const incarnations = Array.from({ length: row.length - 2 }, (_, at) => row.text(at + 2));
    speakers.set(row.text(0), { incarnations, finished: row.number(1) === 1 });
  }
  return speakers;
}
