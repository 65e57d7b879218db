import { SingleBar } from 'cli-progress';
import type { RephraseProgress } from '../../external/rephrase/rephrase-file.ts';

/** Rows kept as they are, requests, tokens and cost so far, for people. */
interface Figures {
  readonly kept: number;
  readonly spent: string;
}

type Step = Parameters<RephraseProgress['step']>;

/** A bar that redraws itself, for a terminal. */
export class BarProgress implements RephraseProgress {
  readonly #bar: SingleBar;
  #kept = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#bar = new SingleBar({
      stream,
      format: '{bar} {percentage} % | {value} of {total} rows | {kept} kept | {spent} | {eta_formatted} left',
      barCompleteChar: '█',
      barIncompleteChar: '░',
      barsize: 24,
      hideCursor: true,
      etaBuffer: 50,
    });
  }

  begin(rows: number, done: number): void {
    this.#bar.start(rows, done, { kept: 0, spent: '' } satisfies Figures);
  }

  step(...[result, budget]: Step): void {
    if (result.kind !== 'rephrased') this.#kept++;
    this.#bar.increment(1, { kept: this.#kept, spent: describeSpent(budget) } satisfies Figures);
  }

  end(): void {
    this.#bar.stop();
  }
}

/** At most so many lines, for a file or a pipe. */
const LINES = 20;

/** A line now and then, for what is no terminal. */
export class LineProgress implements RephraseProgress {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  #rows = 0;
  #done = 0;
  #doneBefore = 0;
  #kept = 0;
  #started = 0;
  #told = 0;

  /** `now` in milliseconds. */
  constructor(write: (line: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  begin(rows: number, done: number): void {
    this.#rows = rows;
    this.#done = done;
    this.#doneBefore = done;
    this.#started = this.#now();
    this.#told = this.#mark();
    if (done > 0) this.#write(`${done} of ${rows} rows were done before; going on with the others.\n`);
  }

  step(...[result, budget]: Step): void {
    this.#done++;
    if (result.kind !== 'rephrased') this.#kept++;
    if (this.#mark() === this.#told) return;
    this.#told = this.#mark();
    const { spent, left } = { spent: describeSpent(budget), left: this.#left() };
    this.#write(`${this.#done} of ${this.#rows} rows, ${this.#kept} kept, ${spent}, about ${left} left\n`);
  }

  end(): void {}

  #mark(): number {
    return Math.floor((LINES * this.#done) / Math.max(1, this.#rows));
  }

  #left(): string {
    const perRow = (this.#now() - this.#started) / (this.#done - this.#doneBefore);
    const seconds = Math.round((perRow * (this.#rows - this.#done)) / 1_000);
    return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  }
}

/** What was spent, in words; the cost where there is one. */
export function describeSpent({ spent, cost }: Step[1]): string {
  const tokens = (spent.promptTokens + spent.completionTokens).toLocaleString('en');
  const price = cost > 0 ? `, cost ${cost.toFixed(cost < 1 ? 4 : 2)}` : '';
  return `${spent.requests.toLocaleString('en')} requests, ${tokens} tokens${price}`;
}
