import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { ClientProcess } from './client-process.ts';
import { Gates } from './gates.ts';
import type { Ledger } from './ledger.ts';
import type { ClientStart, Counters, FromClient } from './messages.ts';
import type { ReplayOptions, Restart } from './options.ts';
import type { Rollout, RolloutsFile } from './rollouts.ts';

export interface ReplayParts {
  readonly options: ReplayOptions;
  readonly file: RolloutsFile;
  readonly url: string;
  readonly cohort: string;
  readonly ledger: Ledger;
  readonly say: (text: string) => void;
  /** Told now and then which share of the rollouts is rewarded. */
  readonly onProgress: (share: number) => void;
}

interface Kill {
  readonly agent: string;
  readonly restart: Restart;
}

/** A client is killed in the middle: it has sent this share of its rollouts … */
const SENT_BY_THEN = 0.4;
/** … and some are rewarded, … */
const REWARDED_BY_THEN = 0.1;
/** … unless its teacher is so late that it has sent this much, repeats included. */
const SENT_AT_MOST = 0.9;

/** Until a client that went on to its next requests has sent them. */
const SETTLE_MS = 500;

/** Runs one client process per agent, kills some and brings them back, until all have their rewards. */
export class Replay {
  readonly #parts: ReplayParts;
  readonly #clients = new Map<string, ClientProcess>();
  readonly #starts = new Map<string, ClientStart>();
  readonly #retired: Counters[] = [];
  readonly #gates: Gates;
  readonly #kills: Kill[];
  /** Each agent's rollouts. */
  readonly #own: ReadonlyMap<string, readonly Rollout[]>;
  /** A kill is being carried out. */
  #restarting = false;
  #finish: () => void = () => undefined;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    const { options, file } = parts;
    this.#gates = new Gates(file.agents, options.ring, (agent, group) =>
      this.#clients.get(agent)?.tell({ kind: 'release', group }),
    );
    this.#own = new Map(
      file.agents.map((name) => [name, file.rollouts.filter(({ agent }) => agent === name)]),
    );
    const victims = new Random(options.seed).shuffle(file.agents);
    this.#kills = options.restarts
      .slice(0, victims.length)
      .map((restart, place) => ({ agent: victims[place] ?? '', restart }));
  }

  /** Counters of every process that ran. */
  get counters(): Counters[] {
    return [...this.#retired, ...[...this.#clients.values()].flatMap(({ counters }) => counters ?? [])];
  }

  /** Resolves when every client is done, or when time is up, which the ledger then tells. */
  async run(): Promise<void> {
    const { options, file, ledger } = this.#parts;
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    for (const [position, agent] of file.agents.entries()) {
      this.#launch({
        file: options.file,
        url: this.#parts.url,
        cohort: this.#parts.cohort,
        agent,
        position,
        mode: options.mode,
        seed: options.seed * 1000 + position,
        // Trainers without incarnations are as common as those with.
        incarnation: position % 2 === 0 ? 'run-1' : null,
        wholeGroups: false,
        acknowledged: [],
        labelStyle: options.labelStyle,
        released: [],
      });
    }
    const watch = this.#watch();
    await finished;
    clearInterval(watch);
    for (const { agent } of this.#kills) ledger.fault(`${agent} was done before it could be killed`);
    await Promise.all([...this.#clients.values()].map((client) => client.kill()));
  }

  #watch(): NodeJS.Timeout {
    const { ledger, options, file, onProgress } = this.#parts;
    const started = Date.now();
    let progress = { settled: 0, at: started };
    return setInterval(() => {
      const now = Date.now();
      onProgress(ledger.settled.size / file.rollouts.length);
      if (ledger.settled.size !== progress.settled) progress = { settled: ledger.settled.size, at: now };
      const stalled = now - progress.at > options.stallMs;
      if (!stalled && now - started < options.timeoutMs) return;
      ledger.fault(stalled ? 'nothing was rewarded any more' : 'time is up');
      this.#finish();
    }, 250);
  }

  #launch(start: ClientStart): void {
    const { ledger, options } = this.#parts;
    this.#starts.set(start.agent, start);
    const client = new ClientProcess(options.protocol, start, {
      onMessage: (message) => this.#hear(start.agent, message),
      onLost: (why) => {
        ledger.fault(`the client of ${start.agent} ${why}`);
        this.#finish();
      },
    });
    this.#clients.set(start.agent, client);
  }

  #hear(agent: string, message: FromClient): void {
    const { ledger } = this.#parts;
    switch (message.kind) {
      case 'progress':
        for (const rewarded of message.rewards) ledger.record(rewarded);
        break;
      case 'ready':
        this.#gates.ready(agent, readGroup(message.group));
        break;
      case 'fault':
        ledger.fault(message.text);
        break;
      case 'done':
        if ([...this.#clients.values()].every(({ done }) => done)) this.#finish();
        break;
    }
    this.#killIfDue();
  }

  #killIfDue(): void {
    const { options } = this.#parts;
    if (options.protocol === 'native') {
      for (const kill of this.#kills.filter(({ agent }) => this.#isInTheMiddle(agent))) this.#carryOut(kill);
      return;
    }
    // Without ids it is one after the other, and each when no reply can be on its way to the victim.
    const [next] = this.#kills;
    if (next === undefined || this.#restarting) return;
    if (this.#isInTheMiddle(next.agent)) this.#gates.freeze(next.agent);
    if (this.#gates.frozen === next.agent && this.#isQuiet(next.agent)) this.#carryOut(next);
  }

  #carryOut(kill: Kill): void {
    this.#kills.splice(this.#kills.indexOf(kill), 1);
    this.#restarting = true;
    this.#restart(kill)
      .catch((error: unknown) => this.#parts.ledger.fault(String(error)))
      .finally(() => {
        this.#restarting = false;
      });
  }

  async #restart({ agent, restart }: Kill): Promise<void> {
    const { options, say, ledger } = this.#parts;
    if (options.protocol === 'openrlhf') await delay(SETTLE_MS);
    const client = this.#clients.get(agent);
    const start = this.#starts.get(agent);
    if (client === undefined || start === undefined) return;
    if (client.done) ledger.fault(`${agent} was done before it could be killed`);
    await client.kill();
    if (client.counters !== null) this.#retired.push(client.counters);
    const acknowledged = this.#rewarded(agent);
    say(
      `Killed ${agent} with ${acknowledged.length} rewards and ${client.open} requests open; it comes back as ` +
        (restart === 'new'
          ? 'a new incarnation and sends unfinished groups whole.'
          : 'the same incarnation.'),
    );
    this.#gates.thaw();
    this.#launch({
      ...start,
      seed: start.seed + 500 + options.seed,
      acknowledged,
      released: this.#gates.released,
      ...(restart === 'new' && { incarnation: 'run-2', wholeGroups: true }),
    });
  }

  /** Whether no reply can be on its way to the agent. */
  #isQuiet(agent: string): boolean {
    const { settled } = this.#parts.ledger;
    const own = this.#own.get(agent) ?? [];
    return own.every((rollout) => settled.has(rollout.name) || !this.#gates.isUnderWay(agent, rollout));
  }

  #isInTheMiddle(agent: string): boolean {
    const all = this.#own.get(agent)?.length ?? 0;
    const sent = this.#clients.get(agent)?.counters?.sent ?? 0;
    const isUnderWay = this.#rewarded(agent).length >= all * REWARDED_BY_THEN || sent >= all * SENT_AT_MOST;
    return sent >= all * SENT_BY_THEN && isUnderWay;
  }

  /** Names of the agent's rollouts whose rewards are there. */
  #rewarded(agent: string): string[] {
    const { settled } = this.#parts.ledger;
    return (this.#own.get(agent) ?? []).flatMap(({ name }) => (settled.has(name) ? [name] : []));
  }
}

/** Reverses `groupName`; a prompt id may hold its separator. */
function readGroup(group: string): { promptId: string; round: number } {
  const parts = group.split('|');
  return { promptId: parts.slice(1, -1).join('|'), round: Number(parts.at(-1)) };
}
