import { setTimeout as sleep } from 'node:timers/promises';

/** One agent's K answers to one prompt, by index; null abstains. */
export interface Sample {
  readonly agent: string;
  readonly promptId: string;
  readonly answers: readonly (string | null)[];
}

export interface Result {
  readonly status: string;
  readonly label: string | null;
  readonly rewards: readonly (number | null)[];
}

/** Replicas that may come and go while trainers talk to them. */
export interface Servers {
  /** At the time of the call. */
  readonly urls: () => readonly string[];
}

/** Nobody may wait longer than this, whatever happens. */
const PATIENCE_MS = 90_000;

export function bodyOf({ agent, promptId, answers }: Sample): object {
  const rollouts = answers.map((answer, index) => ({ id: `${agent}-${index}`, index, answer }));
  return { submission_id: `${agent}/${promptId}`, groups: [{ prompt_id: promptId, round: 0, rollouts }] };
}

/**
 * Sends a sample and asks until it has its rewards, as a trainer does: after a lost connection or a 5xx it sends the same
 * again to the next replica, after a 202 it asks on. Throws on any other answer, and when it takes too long.
 */
export async function train(servers: Servers, sample: Sample, first = 0): Promise<Result> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  const base = `/v1/cohorts/default/agents/${sample.agent}`;
  const resume = `${base}/submissions/${encodeURIComponent(`${sample.agent}/${sample.promptId}`)}?wait=20`;
  let isRecorded = false;
  for (let attempt = first; performance.now() < giveUpAt; attempt++) {
    const urls = servers.urls();
    const url = urls[attempt % urls.length] ?? '';
    const reply = await (isRecorded
      ? fetch(url + resume)
      : fetch(`${url}${base}/rollouts?wait=20`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(sample)),
        })
    ).catch(() => null);
    const text = reply === null ? null : await reply.text().catch(() => null);
    if (reply === null || text === null || reply.status >= 500) {
      isRecorded = false;
      await sleep(100 + Math.random() * 200);
    } else if (reply.status === 202) isRecorded = true;
    else if (reply.status === 404) isRecorded = false;
    else if (reply.status === 200) return JSON.parse(text).groups[0];
    else throw new Error(`${reply.status} ${text}`);
  }
  throw new Error(`${sample.agent} waited ${PATIENCE_MS} ms for ${sample.promptId}`);
}

/** Samples of every agent for every prompt, from a seed. */
export function drawSamples(
  agents: readonly string[],
  prompts: number,
  { k, seed, prefix = 'p' }: { readonly k: number; readonly seed: number; readonly prefix?: string },
): Sample[] {
  const next = generator(seed);
  return agents.flatMap((agent) =>
    Array.from({ length: prompts }, (_, at) => ({
      agent,
      promptId: `${prefix}${at}`,
      answers: Array.from({ length: k }, () => {
        const draw = Math.floor(next() * 5);
        return draw === 4 ? null : String(draw);
      }),
    })),
  );
}

/**
 * What a ring pays, from the answers alone: each agent is paid 1 for answers that equal the plurality of the agent before
 * it; the earliest index wins a tie, and without any answer there is no label and everyone gets 0.
 */
export function payOffline(samples: readonly Sample[], agents: readonly string[]): Map<string, Result> {
  const byName = new Map(samples.map((sample) => [`${sample.agent}/${sample.promptId}`, sample]));
  const paid = new Map<string, Result>();
  for (const [name, { agent, promptId, answers }] of byName) {
    const teacher = agents.at((agents.indexOf(agent) - 1) % agents.length);
    const label = plurality(byName.get(`${teacher}/${promptId}`)?.answers ?? []);
    const rewards = answers.map((answer) => (label !== null && answer === label ? 1 : 0));
    paid.set(name, { status: label === null ? 'unlabeled' : 'scored', label, rewards });
  }
  return paid;
}

function plurality(answers: readonly (string | null)[]): string | null {
  let best: string | null = null;
  let most = 0;
  for (const answer of answers) {
    const votes = answers.filter((other) => other === answer).length;
    if (answer !== null && votes > most) {
      best = answer;
      most = votes;
    }
  }
  return best;
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
