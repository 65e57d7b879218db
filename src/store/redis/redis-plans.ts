import type { LabelRow, PlanRecord } from '../../domain/plan.ts';
import type { Plans } from '../plans.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { parseList } from './checked-list.ts';
import type { KnownCohort } from './known-cohort.ts';
import { decodePlan, encodePlan, readNumbers } from './pack-plan.ts';
import { readVersioned, type Tokens } from './tokens.ts';

/** What nobody has changed for so long is forgotten. */
const TTL_MS = 30 * 86_400_000;

/** Plans as values that are swapped by version, and rows as a list of bounded length. */
export class RedisPlans implements Plans {
  readonly #store: { readonly connection: Caller };
  readonly #tokens: Tokens;
  readonly #find: (cohort: string) => Promise<KnownCohort | null>;

  /** `store` is asked for its connection when it is used, which may be made later. */
  constructor(
    store: { readonly connection: Caller },
    tokens: Tokens,
    find: (cohort: string) => Promise<KnownCohort | null>,
  ) {
    this.#store = store;
    this.#tokens = tokens;
    this.#find = find;
  }

  get #caller(): Caller {
    return this.#store.connection;
  }

  async read(cohort: string): Promise<PlanRecord | null> {
    const known = await this.#find(cohort);
    return known === null ? null : (await this.#load(known)).plan;
  }

  async swap(cohort: string, expected: number, plan: PlanRecord): Promise<boolean> {
    const known = await this.#find(cohort);
    if (known === null) return false;
    const found = await this.#load(known);
    if ((found.plan?.version ?? 0) !== expected) return false;
    const value = this.#tokens.next() + encodePlan(plan);
    const args = [found.token, value, TTL_MS, this.#caller.publish, '', ''];
    const reply = await runOne(this.#caller, callScript('valueSwap', [known.keys.plan], args));
    return (reply as unknown[])[0] === 'ok';
  }

  async note(cohort: string, row: LabelRow, most: number): Promise<number> {
    const known = await this.#find(cohort);
    if (known === null) return 0;
    const { promptId, round, sides, right } = row;
    // In one order, so that one row is one text.
    const entries = Object.entries(sides).sort(([a], [b]) => (a < b ? -1 : 1));
    const args = [
      JSON.stringify([promptId, round, entries.flat(), ...(right === undefined ? [] : [right])]),
      most,
      TTL_MS,
    ];
    const reply = await runOne(this.#caller, callScript('rowNote', [known.keys.labelRows], args));
    return Number((reply as unknown[])[1]);
  }

  async rows(cohort: string): Promise<readonly LabelRow[]> {
    const known = await this.#find(cohort);
    if (known === null) return [];
    const texts = await runOne(this.#caller, { name: 'zrange', args: [known.keys.labelRows, 0, -1] });
    return readAs(this.#caller, known.keys.labelRows, () => (texts as string[]).map(decodeRow));
  }

  async #load({ keys }: KnownCohort): Promise<{ readonly token: string; readonly plan: PlanRecord | null }> {
    const reply = await runOne(this.#caller, callScript('valuesRead', [keys.plan], [this.#caller.now()]));
    return readAs(this.#caller, keys.plan, () => {
      const { token, value } = readVersioned((reply as unknown[])[2]);
      return { token, plan: value === null ? null : decodePlan(value) };
    });
  }
}

function decodeRow(text: string): LabelRow {
  const list = parseList(text);
  const row = { promptId: list.text(0), round: list.number(1), sides: readNumbers(list.at(2)) };
  if (list.length < 4) return row;
  const right = list.list(3);
  return { ...row, right: Array.from({ length: right.length }, (_, place) => right.text(place)) };
}
