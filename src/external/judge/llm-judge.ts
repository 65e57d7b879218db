import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/clock.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Budget } from '../llm/budget.ts';
import type { FailureCode } from '../llm/chat.ts';
import type { ChatClient } from '../llm/chat-client.ts';
import { type Question, questionKey, toMessages } from './question.ts';
import { type Reading, readVerdict, type Verdict } from './read-verdict.ts';

export interface LlmJudgeRules {
  readonly model: string;
  /** The judge's longest answer, its reasoning included. */
  readonly replyTokens: number;
  /** Questions that wait for their turn at most. */
  readonly maxQueued: number;
  /** How long those who ask wait for verdicts until they are sent away, to ask again. */
  readonly holdMs: number;
  readonly cacheEntries: number;
}

/** How a verdict was come by: `asked` the model, `joined` a question on its way, or known from the `cache`. */
export type VerdictSource = 'asked' | 'joined' | 'cache';

export interface LlmJudgeParts {
  readonly client: ChatClient;
  readonly clock: Clock;
  readonly observe: (cohort: string, source: VerdictSource, kind: Verdict['kind']) => void;
}

interface Known {
  readonly verdict: Verdict;
  /** Null: for ever. */
  readonly until: number | null;
}

/**
 * A fault is known only so long: enough for whoever was sent away meanwhile to be told of it, short enough for a judge
 * that is well again to be asked again.
 */
const FAULT_KEPT_MS = 60_000;

/**
 * A language model as judge. The same question is asked once: whoever asks it meanwhile gets the same verdict, and so
 * does who asks later. A question that was begun is finished also when nobody waits for it any more.
 */
export class LlmJudge {
  readonly #rules: LlmJudgeRules;
  readonly #parts: LlmJudgeParts;
  readonly #known: LRUCache<string, Known>;
  /** When the judge failed of a question first, since its last verdict. */
  readonly #failing: LRUCache<string, number>;
  readonly #asked = new Map<string, Promise<Verdict>>();
  readonly #closed = new AbortController();
  #turn = Promise.resolve();

  constructor(rules: LlmJudgeRules, parts: LlmJudgeParts) {
    this.#rules = rules;
    this.#parts = parts;
    this.#known = new LRUCache({ max: rules.cacheEntries });
    this.#failing = new LRUCache({ max: rules.cacheEntries });
  }

  /**
   * One verdict for each question, in order. Throws `judge_busy` when they cannot all be had within the hold; those
   * begun go on, so that asking the same again gets further; and where the judge fails and may come back, until it has
   * failed of a question for `patienceMs`. Throws `draining` once it is closed.
   */
  async judge(
    cohort: string,
    questions: readonly Question[],
    budgets: readonly Budget[],
    patienceMs = 0,
  ): Promise<readonly Verdict[]> {
    const { signal } = this.#closed;
    const pending: Promise<Verdict>[] = [];
    let turnedAway = 0;
    for (const question of questions) {
      await this.#nextTurn();
      if (signal.aborted) throw closing();
      const verdict = this.#verdictOf(cohort, question, budgets);
      if (verdict === null) turnedAway++;
      else pending.push(verdict);
    }
    if (turnedAway > 0) throw busy(`${this.#rules.maxQueued} questions wait for the judge already`);
    const verdicts = await this.#within(Promise.all(pending));
    if (signal.aborted) throw closing();
    if (verdicts === null) throw busy(`the judge has not answered all of them in ${this.#rules.holdMs} ms`);
    const now = this.#parts.clock.now();
    const failure = verdicts.find(
      (one) => one.kind === 'fault' && one.mayPass && now - one.since < patienceMs,
    );
    if (failure?.kind === 'fault') throw busy(`the judge fails at the moment (${failure.reason})`);
    return verdicts;
  }

  /** Questions that wait for their turn. */
  get queued(): number {
    return this.#parts.client.queued;
  }

  /** Sends away everyone who waits: what is given up now must not be stored as a failure of the judge. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#parts.client.close();
  }

  /** Hashing many long questions takes time: whatever else there is to do gets its turn after each, whoever asks. */
  #nextTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => setImmediate());
    return this.#turn;
  }

  /** Null: it would be one question too many. */
  #verdictOf(cohort: string, question: Question, budgets: readonly Budget[]): Promise<Verdict> | null {
    const { observe, client, clock } = this.#parts;
    const key = questionKey(this.#rules.model, question);
    const known = this.#known.get(key);
    if (known !== undefined && (known.until === null || clock.now() < known.until)) {
      observe(cohort, 'cache', known.verdict.kind);
      return Promise.resolve(known.verdict);
    }
    const tell = (source: VerdictSource) => (verdict: Verdict) => {
      observe(cohort, source, verdict.kind);
      return verdict;
    };
    const onItsWay = this.#asked.get(key);
    if (onItsWay !== undefined) return onItsWay.then(tell('joined'));
    if (client.queued >= this.#rules.maxQueued) return null;
    const asked = this.#ask(question, key, budgets);
    this.#asked.set(key, asked);
    return asked.then(tell('asked'));
  }

  async #ask(question: Question, key: string, budgets: readonly Budget[]): Promise<Verdict> {
    const outcome = await this.#parts.client.chat(
      { messages: toMessages(question, key), maxTokens: this.#rules.replyTokens, temperature: 0 },
      { budgets },
    );
    this.#asked.delete(key);
    const now = this.#parts.clock.now();
    const read = this.#read(outcome, question);
    const verdict = read.kind === 'score' ? read : { ...read, since: this.#failedSince(key, now) };
    if (read.kind === 'score') this.#failing.delete(key);
    const until = verdict.kind === 'score' ? null : now + FAULT_KEPT_MS;
    this.#known.set(key, { verdict, until });
    return verdict;
  }

  #failedSince(key: string, now: number): number {
    const since = this.#failing.get(key) ?? now;
    this.#failing.set(key, since);
    return since;
  }

  #read(outcome: Awaited<ReturnType<ChatClient['chat']>>, { kind }: Question): Reading {
    if (outcome.kind === 'failed') {
      return fault(
        `The judge gave no verdict (${outcome.code}): ${outcome.message}`,
        !FINAL.has(outcome.code),
      );
    }
    if (!outcome.complete) {
      return fault(`The judge's answer was cut off after ${this.#rules.replyTokens} tokens.`);
    }
    return readVerdict(outcome.text, kind);
  }

  /** Null when the hold is over first. */
  #within<T>(work: Promise<T>): Promise<T | null> {
    const { clock } = this.#parts;
    return new Promise((resolve, reject) => {
      const cancel = clock.setTimer(this.#rules.holdMs, () => resolve(null));
      work.finally(cancel).then(resolve, reject);
    });
  }
}

const LONGEST_FAULT = 200;

/** Failures that asking again does not end. */
const FINAL: ReadonlySet<FailureCode> = new Set(['too_large', 'budget_spent']);

function fault(reason: string, mayPass = false): Reading {
  const shown = reason.length > LONGEST_FAULT ? `${reason.slice(0, LONGEST_FAULT - 1)}…` : reason;
  // The cut may have gone through a character of two code units.
  return { kind: 'fault', reason: shown.toWellFormed(), mayPass };
}

function closing(): ServiceError {
  return new ServiceError(
    'draining',
    'This server is shutting down. Send the same request again: another replica or the restarted server takes it.',
  );
}

function busy(why: string): ServiceError {
  return new ServiceError(
    'judge_busy',
    `Nothing of this submission is stored: ${why}. Send the same again after Retry-After: what is judged by then is kept. If it stays so, raise judge.concurrency, or send smaller parts.`,
  );
}
