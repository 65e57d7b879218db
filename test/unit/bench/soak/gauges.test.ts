import { expect, it } from 'vitest';
import { Gauges } from '../../../../bench/soak/gauges.ts';
import { usageIn } from '../../../../bench/support/server-usage.ts';

const MIB = 1_048_576;
const steady = {
  rssBytes: 300 * MIB,
  heapBytes: 80 * MIB,
  cpuSeconds: 1,
  descriptors: 40,
  handles: 10,
  series: 700,
};

function watch(change: (at: number) => Partial<typeof steady> & { readonly keys?: number | null }): string[] {
  const gauges = new Gauges();
  for (let at = 0; at < 100; at++) {
    const { keys = 500, ...usage } = change(at);
    gauges.note({ ...steady, ...usage }, keys);
  }
  return gauges.faults();
}

it('what stays, goes up and down, or grows while it warms up is no fault', () => {
  expect(watch(() => ({}))).toEqual([]);
  expect(
    watch((at) => ({
      heapBytes: (80 + (at % 10) * 20) * MIB,
      keys: at % 7 === 0 ? null : 500 + (at % 9) * 30,
    })),
  ).toEqual([]);
  expect(
    watch((at) => ({ rssBytes: (200 + 10 * Math.min(at, 20)) * MIB, series: 10 * Math.min(at, 20) })),
  ).toEqual([]);
});

it.each([
  ['heapBytes', (at: number) => ({ heapBytes: (80 + at + (at % 10) * 20) * MIB })],
  ['rssBytes', (at: number) => ({ rssBytes: (300 + 4 * at) * MIB })],
  ['descriptors', (at: number) => ({ descriptors: 40 + at })],
  ['handles', (at: number) => ({ handles: 10 + at })],
  ['series', (at: number) => ({ series: 700 + 10 * at })],
  ['keys', (at: number) => ({ keys: 500 + 10 * at })],
])('what grows for as long as it runs is one: %s', (name, change) => {
  expect(watch(change).map((fault) => fault.split(' ')[0])).toEqual([name]);
});

it('a server tells of itself what is looked at', () => {
  const exposition = [
    'process_resident_memory_bytes 100',
    'nodejs_heap_space_size_used_bytes{space="old"} 20',
    'nodejs_external_memory_bytes 5',
    'process_cpu_seconds_total 1.5',
    'process_open_fds 7',
    'nodejs_active_handles_total 3',
    'peervote_groups_settled_total{cohort="c",agent="a",status="scored"} 4',
    'peervote_http_request_seconds_count{method="GET",route="/",status="200"} 9',
  ].join('\n');
  expect(usageIn(exposition)).toEqual({
    rssBytes: 100,
    heapBytes: 25,
    cpuSeconds: 1.5,
    descriptors: 7,
    handles: 3,
    series: 1,
  });
});
