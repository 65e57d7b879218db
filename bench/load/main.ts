import { parseArgs } from 'node:util';
import { formatTable } from '../support/table.ts';
import { type BucketOptions, measureBuckets, writeLongAnswer, writeShortAnswer } from './bucket-cost.ts';
import { compileServer } from './compile-server.ts';
import { type HeldOptions, measureHeld } from './held-cost.ts';
import { measureRelease } from './release.ts';
import { measureThroughput, type Shape } from './throughput.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const { quick } = values;
const program = compileServer();
const started = performance.now();

const failures: string[] = [
  ...(await tellThroughput(quick ? 100 : 1000)),
  ...(await tellHeld(quick ? 200 : 1000)),
  ...(await tellBuckets(quick ? 1024 : 8192)),
  ...(await tellRelease(quick ? 300 : 10_000, quick ? 50 : 300)),
];
for (const failure of failures) say(`FAILED: ${failure}`);
say(`${failures.length === 0 ? 'All bounds hold' : 'Some bounds do not hold'}; measured in ${seconds()} s.`);
if (failures.length > 0) process.exitCode = 1;

/** Requests that must be held at once while all rollouts pass through. */
async function tellThroughput(prompts: number): Promise<string[]> {
  const rows: (string | number)[][] = [];
  const failures: string[] = [];
  for (const shape of ['per sample', 'per group', 'per step'] as const satisfies Shape[]) {
    const result = await measureThroughput(program, shape, prompts);
    const { rollouts, mostHeld, wrong, target } = result;
    rows.push([
      shape,
      rollouts,
      result.requests,
      mostHeld,
      wrong,
      result.seconds.toFixed(1),
      Math.round(rollouts / result.seconds),
      ((result.serverCpu / rollouts) * 1e6).toFixed(0),
      ((result.senderCpu / rollouts) * 1e6).toFixed(0),
    ]);
    if (wrong > 0) failures.push(`${wrong} replies ${shape} were wrong.`);
    if (mostHeld < target) failures.push(`${shape} held ${mostHeld} requests at once instead of ${target}.`);
  }
  const header = [
    'rollouts, 4 agents x K=8',
    'rollouts',
    'requests',
    'most held',
    'wrong',
    's',
    'rollouts/s',
    'server us/rollout',
    'sender us/rollout',
  ];
  say(`\n${formatTable(header, rows)}`);
  return failures;
}

async function tellHeld(count: number): Promise<string[]> {
  const variants: Omit<HeldOptions, 'program'>[] = [
    { what: 'native, 1 prompt x 8, 17.8 KB', protocol: 'native', count, prompts: 1, times: 1 },
    { what: 'the same, texts 16x longer', protocol: 'native', count, prompts: 1, times: 16 },
    { what: 'openrlhf, 1 rollout', protocol: 'openrlhf', count, prompts: 1, times: 1 },
  ];
  if (!quick) {
    variants.push(
      { what: 'the same, text 16x longer', protocol: 'openrlhf', count, prompts: 1, times: 16 },
      {
        what: 'native, 32 prompts x 8, 570 KB',
        protocol: 'native',
        count: count / 10,
        prompts: 32,
        times: 1,
      },
    );
  }
  const heaps: number[] = [];
  const rows: (string | number)[][] = [];
  for (const variant of variants) {
    const { held, recorded } = await measureHeld({ program, ...variant });
    heaps.push(held.heap);
    rows.push([
      variant.what,
      held.count,
      kilobytes(held.heap),
      recorded === null ? '-' : kilobytes(recorded.heap),
      recorded === null ? '-' : kilobytes(held.heap - recorded.heap),
      kilobytes(held.rss),
    ]);
  }
  say(`\n${formatTable(['held request, KB', 'held', 'heap', 'of it bucket', 'of it request', 'RSS'], rows)}`);
  const [short = 0, long = 0, sample = 0, longSample = sample] = heaps;
  return [
    ...bound('A held request with texts 16 times longer', long / short, 1.2),
    ...(quick ? [] : bound('A held sample with a text 16 times longer', longSample / sample, 1.2)),
  ];
}

async function tellBuckets(buckets: number): Promise<string[]> {
  const variants: Omit<BucketOptions, 'program'>[] = [
    { what: 'native, answers of 1-3 digits', protocol: 'native', buckets, answer: writeShortAnswer },
    { what: 'native, answers of 20 characters', protocol: 'native', buckets, answer: writeLongAnswer },
  ];
  if (!quick) {
    const what = 'openrlhf, answers of 1-3 digits';
    variants.push({ what, protocol: 'openrlhf', buckets: buckets / 8, answer: writeShortAnswer });
  }
  const heaps: number[] = [];
  const rows: (string | number)[][] = [];
  for (const variant of variants) {
    const cost = await measureBuckets({ program, ...variant });
    heaps.push(cost.heap);
    rows.push([variant.what, cost.count, Math.round(cost.heap)]);
  }
  say(`\n${formatTable(['open bucket, 2 agents x 8, bytes', 'buckets', 'heap'], rows)}`);
  const [short = 0, long = 0] = heaps;
  return bound('An open bucket with long answers', long / short, 2);
}

async function tellRelease(parked: number, exchanges: number): Promise<string[]> {
  const rows: (string | number)[][] = [];
  const results = await measureRelease(program, { parked, prompts: 1, exchanges });
  for (const { parked: others, prompts, p50Ms, p99Ms } of results) {
    rows.push([`1 peer, ${prompts} prompt x 8`, others, exchanges, p50Ms.toFixed(1), p99Ms.toFixed(1)]);
  }
  say(`\n${formatTable(['barrier release, ms', 'others held', 'exchanges', 'p50', 'p99'], rows)}\n`);
  const [idle, crowded] = results;
  return bound(`Release with ${parked} others held`, crowded.p50Ms / idle.p50Ms, 1.5);
}

function bound(what: string, ratio: number, most: number): string[] {
  say(`${what}: ${ratio.toFixed(2)} times (at most ${most}).`);
  return ratio <= most ? [] : [`${what} is ${ratio.toFixed(2)} times, more than ${most}.`];
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function seconds(): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
