import { Random } from '../support/random.ts';
import { type Cost, costOf } from './costs.ts';
import { COMPLETION_LENGTH, type SyntheticGroup, writeGroups, writeSample } from './synthetic.ts';
import { TestServer } from './test-server.ts';

export interface BucketOptions {
  /** Program of the server. */
  readonly program: string;
  readonly what: string;
  readonly protocol: 'native' | 'openrlhf';
  readonly buckets: number;
  readonly answer: (random: Random) => string;
}

const K = 8;
/** Sent together, so that what a request takes once is shared. */
const AT_ONCE = 64;
/** Sent before anything is counted: so many that the server's memo of answers is full. */
const WARM_UP = { native: AT_ONCE * 16, openrlhf: AT_ONCE * 4 };
/** The shortest that the server takes: OpenRLHF's requests are held before they are let go. */
const HOLD_MS = 1000;

/** One to three digits. */
export function writeShortAnswer(random: Random): string {
  return String(random.between(1, 200));
}

/** More than 12 characters: V8 cuts those out of a text without copying, and so keeps the text. */
export function writeLongAnswer(random: Random): string {
  return `x^2+${random.between(1000, 9999)}y+\\sqrt{${random.between(100, 200)}}`;
}

/** What an open bucket takes: two agents with 8 and 7 of 8 rollouts, and nobody who waits. */
export async function measureBuckets(options: BucketOptions): Promise<Cost> {
  const server = await TestServer.start(options.program, { holdMs: HOLD_MS });
  try {
    await server.putCohort('load', { agents: ['a', 'b'], k: K });
    const random = new Random(1);
    let next = 0;
    const open = async (buckets: number) => {
      for (let opened = 0; opened < buckets; opened += AT_ONCE) {
        await openBuckets(server, options, next, random);
        next += AT_ONCE;
      }
    };
    await open(WARM_UP[options.protocol]);
    const before = await server.measure();
    await open(options.buckets);
    const after = await server.measure();
    const opened = next - WARM_UP[options.protocol];
    return costOf(options.what, opened, before, after);
  } finally {
    await server.stop();
  }
}

async function openBuckets(server: TestServer, options: BucketOptions, from: number, random: Random) {
  for (const [agent, rollouts] of [
    ['a', K],
    ['b', K - 1],
  ] as const) {
    const groups = Array.from({ length: AT_ONCE }, (_, at): SyntheticGroup => {
      const answers = Array.from({ length: rollouts }, () => options.answer(random));
      return { promptId: `p${from + at}`, agent, answers };
    });
    if (options.protocol === 'native') {
      const path = `/v1/cohorts/load/agents/${agent}/rollouts?wait=0`;
      await server.send('POST', path, writeGroups(groups, COMPLETION_LENGTH, random));
      continue;
    }
    const samples = groups.flatMap(({ promptId, answers }) =>
      answers.map((answer) => writeSample(promptId, answer, COMPLETION_LENGTH, random)),
    );
    // Agent a's are let go with 503, agent b's are answered at once.
    await Promise.all(samples.map((body) => server.try('POST', `/openrlhf/load/${agent}`, body)));
  }
}
