import { setTimeout as sleep } from 'node:timers/promises';

/** What an agent sends for one prompt. `ground_truth` is for the metrics only: no reward is made of it. */
export interface SentGroup {
  readonly prompt_id: string;
  readonly ground_truth: string;
  readonly rollouts: readonly {
    readonly index: number;
    readonly completion: string;
    readonly truncated: boolean;
  }[];
}

/** The part of a reply that the quickstart uses; openapi/openapi.yaml has all of it. */
export interface Decided {
  readonly groups: readonly {
    readonly prompt_id: string;
    readonly round: number;
    readonly label: string | null;
    readonly teachers: readonly string[];
    readonly rewards: readonly (number | null)[];
  }[];
  readonly metrics: Readonly<Record<string, number | null>>;
}

/** Seconds that one request is held: short enough for any proxy on the way. */
const WAIT_S = 50;

/**
 * All that a trainer has to do: send the rollouts of a step, then ask for the rewards until they are there.
 * Where the server refuses for now (503) the same is sent again, and counts once.
 */
export async function requestRewards(
  agentUrl: string,
  step: number,
  groups: readonly SentGroup[],
): Promise<Decided> {
  const submission_id = `step-${step}`;
  const post = () =>
    fetch(`${agentUrl}/rollouts?wait=${WAIT_S}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ submission_id, step, groups }),
    });
  let response = await post();
  while (response.status !== 200) {
    const refusal = await response.text();
    if (response.status === 202) {
      response = await fetch(`${agentUrl}/submissions/${submission_id}?wait=${WAIT_S}`);
    } else if (response.status === 503) {
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      response = await post();
    } else {
      throw new Error(`${agentUrl} answered ${response.status}: ${refusal}`);
    }
  }
  return (await response.json()) as Decided;
}
