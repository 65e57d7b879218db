import { readUsage, type ServerUsage } from '../support/server-usage.ts';

const NAMES = ['rssBytes', 'heapBytes', 'descriptors', 'handles', 'series', 'keys'] as const;
type Name = (typeof NAMES)[number];
type Look = Record<Name, number | null>;

/** Of a run, left out: caches fill, code is compiled. */
const WARM_UP = 0.2;
/** How much more the last third may have than the first one after the warm-up: a share, and so many. */
const ROOM: Readonly<Record<Name, readonly [share: number, atLeast: number]>> = {
  // What no collection has found yet is in it, and what the allocator keeps.
  rssBytes: [0.25, 96 * 1_048_576],
  heapBytes: [0.15, 16 * 1_048_576],
  descriptors: [0.1, 16],
  handles: [0.1, 16],
  series: [0.15, 100],
  keys: [0.25, 200],
};

/** What one server uses over time, and whether that stays. */
export class Gauges {
  readonly #looks: Look[] = [];

  async look(url: string, keys: number | null): Promise<void> {
    // A server that is too busy to be looked at is no fault here: its trainers would tell.
    const usage = await readUsage(url).catch(() => null);
    if (usage !== null) this.note(usage, keys);
  }

  note(usage: ServerUsage, keys: number | null): void {
    const { rssBytes, heapBytes, descriptors, handles, series } = usage;
    this.#looks.push({ rssBytes, heapBytes, descriptors, handles, series, keys });
  }

  /** What grew, as sentences. */
  faults(): string[] {
    return NAMES.flatMap((name) => {
      const [early, late] = this.#ends(name);
      const [share, atLeast] = ROOM[name];
      const most = early + Math.max(atLeast, share * early);
      return late <= most
        ? []
        : [`${name} grew from ${text(name, early)} to ${text(name, late)}, more than to ${text(name, most)}`];
    });
  }

  /** For {@link formatTable}: what each was in the thirds of the run. */
  table(): [header: string[], rows: string[][]] {
    const rows = NAMES.map((name) => [
      name,
      ...this.#thirds(name).map((third) => text(name, level(name, third))),
    ]);
    return [['of the replica that lives', 'first third', 'second', 'last'], rows];
  }

  #ends(name: Name): [early: number, late: number] {
    const thirds = this.#thirds(name);
    return [level(name, thirds[0] ?? []), level(name, thirds[2] ?? [])];
  }

  #thirds(name: Name): number[][] {
    const warm = this.#looks.slice(Math.floor(WARM_UP * this.#looks.length));
    const values = warm.map((look) => look[name]);
    return [0, 1, 2].map((third) =>
      values
        .slice((third * values.length) / 3, ((third + 1) * values.length) / 3)
        .filter((value) => value !== null),
    );
  }
}

/** Of the heap the least, which comes close to what is in use; of all else the middle. */
function level(name: Name, values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[name === 'heapBytes' ? 0 : Math.floor(sorted.length / 2)] ?? 0;
}

function text(name: Name, value: number): string {
  return name.endsWith('Bytes') ? `${(value / 1_048_576).toFixed(0)} MiB` : value.toFixed(0);
}
