import { binomialPmf } from './binomial.ts';
import { pluralityOfLabels, type Teaching } from './dynamics.ts';
import { toChance, toLogOdds } from './log-odds.ts';
import { openAnswers, openPull, pluralityAccuracy } from './open-answers.ts';

/** Teaching by others, under which a higher start never ends lower. */
export type PeerTeaching = Exclude<Teaching, 'self'>;

/** Equal agents on one problem: what the dynamics of a whole cohort depend on beside the start. */
export interface EqualCourse {
  readonly agents: number;
  /** Rollouts per prompt of every agent. */
  readonly k: number;
  /** Equally likely wrong answers. */
  readonly wrong: number;
  readonly teaching: PeerTeaching;
}

/** Log-odds beyond this are as good as certain: 1 - p is about 1e-7. */
const EDGE = 16;
/** Values per unit of log-odds: linear interpolation is then wrong by about 1e-5. */
const DENSITY = 64;
const LAST = 2 * EDGE * DENSITY;

/** Labels that several teachers make: how often s right parts of all of theirs make a right label, and a wrong one. */
interface Merging {
  /** Values of the count that one teacher adds: right labels (0 or 1), or right rollouts (0 to K). */
  readonly parts: readonly Float64Array[];
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

/** The drift of equal agents from tables over log-odds, for the many starts of a data set. */
export class CourseTable {
  readonly #agents: number;
  readonly #accuracy: Float64Array;
  readonly #gain: Float64Array;
  readonly #loss: Float64Array;
  /** How many places on the one teacher sits in a ring; otherwise null. */
  readonly #teacherAt: number | null;
  readonly #merging: Merging | null;

  constructor({ agents, k, wrong, teaching }: EqualCourse) {
    const answers = openAnswers(k, wrong);
    this.#agents = agents;
    this.#accuracy = tabulate((p) => pluralityAccuracy(answers, p));
    this.#gain = tabulate((p) => openPull(answers, p, 1, 0));
    this.#loss = tabulate((p) => -openPull(answers, p, 0, 1));
    this.#teacherAt = teaching === 'successor' ? 1 : teaching === 'predecessor' ? agents - 1 : null;
    this.#merging = this.#teacherAt === null ? this.#merge(teaching, agents - 1, k, wrong) : null;
  }

  /** dl/dt of every agent at log-odds `l` and η = 1, written into `speed`. */
  drift(l: Float64Array, speed: Float64Array): void {
    if (this.#teacherAt === null) {
      this.#driftOfMerged(l, speed);
      return;
    }
    for (let n = 0; n < l.length; n++) {
      const right = read(this.#accuracy, l[(n + this.#teacherAt) % this.#agents] ?? 0);
      const own = l[n] ?? 0;
      speed[n] = right * read(this.#gain, own) - (1 - right) * read(this.#loss, own);
    }
  }

  /** The log-odds at which equal agents stand still: all above it rise to 1, all below it fall to 0. */
  evenPoint(): number {
    const speed = new Float64Array(this.#agents);
    let [low, high] = [toLogOdds(0.001), toLogOdds(0.999)];
    while (high - low > 1e-9) {
      const middle = (low + high) / 2;
      this.drift(new Float64Array(this.#agents).fill(middle), speed);
      if ((speed[0] ?? 0) < 0) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  #merge(teaching: PeerTeaching, peers: number, k: number, wrong: number): Merging {
    if (teaching === 'peer-majority') {
      const odds = pluralityOfLabels(peers, wrong);
      return {
        parts: [this.#accuracy.map((right) => 1 - right), this.#accuracy],
        right: odds.map(({ right }) => right),
        wrong: odds.map((each) => each.wrong),
      };
    }
    const { right } = openAnswers(k * peers, wrong);
    const parts = Array.from({ length: k + 1 }, (_, c) => tabulate((p) => binomialPmf(k, p)[c] ?? 0));
    return { parts, right, wrong: right.map((chance) => 1 - chance) };
  }

  /** Everybody but oneself: the counts of those before and of those after, so that each is added up once. */
  #driftOfMerged(l: Float64Array, speed: Float64Array): void {
    const { parts, right, wrong } = this.#merging ?? { parts: [], right: [], wrong: [] };
    const own = Array.from(l, (value) => parts.map((table) => read(table, value)));
    const before: number[][] = [[1]];
    for (const counts of own) before.push(add(before.at(-1) ?? [1], counts));
    let after: number[] = [1];
    for (let n = l.length - 1; n >= 0; n--) {
      const others = add(before[n] ?? [1], after);
      let [toRight, toWrong] = [0, 0];
      for (let s = 0; s < others.length; s++) {
        toRight += (others[s] ?? 0) * (right[s] ?? 0);
        toWrong += (others[s] ?? 0) * (wrong[s] ?? 0);
      }
      const at = l[n] ?? 0;
      speed[n] = toRight * read(this.#gain, at) - toWrong * read(this.#loss, at);
      after = add(after, own[n] ?? [1]);
    }
  }
}

function tabulate(f: (p: number) => number): Float64Array {
  return Float64Array.from({ length: LAST + 1 }, (_, at) => f(toChance((at - LAST / 2) / DENSITY)));
}

function read(table: Float64Array, l: number): number {
  const place = Math.min(LAST - 1e-9, Math.max(0, (l + EDGE) * DENSITY));
  const at = Math.floor(place);
  const low = table[at] ?? 0;
  return low + (place - at) * ((table[at + 1] ?? low) - low);
}

/** `convolve` for the innermost loop. */
function add(a: readonly number[], b: readonly number[]): number[] {
  const sum = new Array<number>(a.length + b.length - 1).fill(0);
  for (let i = 0; i < a.length; i++) {
    const left = a[i] ?? 0;
    for (let j = 0; j < b.length; j++) sum[i + j] = (sum[i + j] ?? 0) + left * (b[j] ?? 0);
  }
  return sum;
}
