/** What a server says of itself on /metrics. */
export interface ServerUsage {
  readonly rssBytes: number;
  /** Objects that have lived for a while, with those that nobody needs any more and no collection has found yet. */
  readonly heapBytes: number;
  readonly cpuSeconds: number;
  readonly descriptors: number;
  readonly handles: number;
  /** Lines of the exposition about cohorts and the store: requests are counted by path and status, each of which comes up once. */
  readonly series: number;
}

/** Rejects when the server does not answer within 10 s. */
export async function readUsage(url: string): Promise<ServerUsage> {
  const reply = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  return usageIn(await reply.text());
}

export function usageIn(exposition: string): ServerUsage {
  const lines = exposition.split('\n');
  const values = new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
  const value = (name: string) => values.get(name) ?? Number.NaN;
  return {
    rssBytes: value('process_resident_memory_bytes'),
    heapBytes:
      value('nodejs_heap_space_size_used_bytes{space="old"}') + value('nodejs_external_memory_bytes'),
    cpuSeconds: value('process_cpu_seconds_total'),
    descriptors: value('process_open_fds'),
    handles: value('nodejs_active_handles_total'),
    series: lines.filter((line) => /^peervote_(?!http_)/.test(line)).length,
  };
}
