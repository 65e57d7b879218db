import type { Usage } from './measured-server.ts';

/** What one of many things takes in the server, in bytes. */
export interface Cost {
  readonly what: string;
  readonly count: number;
  readonly heap: number;
  readonly rss: number;
}

/** The share of each of `count` things in what the server took between two measurements. */
export function costOf(what: string, count: number, before: Usage, after: Usage): Cost {
  return { what, count, heap: (after.heap - before.heap) / count, rss: (after.rss - before.rss) / count };
}
