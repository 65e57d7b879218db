import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { type Break, breakConnection } from './broken-connection.ts';
import { ClientLink } from './client-link.ts';
import { readReply, writeQuery } from './openrlhf-wire.ts';
import { groupName, groupRollouts, type Rollout } from './rollouts.ts';

/**
 * The process of one agent's trainer that speaks OpenRLHF's protocol: one connection and one POST per
 * rollout, all of a prompt's visit at once, and the next visit once this one is rewarded.
 */

const MOST_AT_ONCE = 400;
const BREAKS = 0.25;
const BREAKS_AGAIN = 0.3;

const link = new ClientLink();
const { cohort, agent, position, incarnation, seed, labelStyle } = link.start;
const random = new Random(seed);
const path = `/openrlhf/${cohort}/${agent}${incarnation === null ? '' : `?inc=${incarnation}`}`;
/** Mean time between two rollouts of a visit in ms: each trainer has its own pace. */
const pace = random.between(5, 40);
const released = new Set(link.start.released);
const whenReleased = new Map<string, () => void>();
let logKeys: string | null = null;

link.onMessage(({ group }) => {
  released.add(group);
  whenReleased.get(group)?.();
});

/** The visits of every prompt, in order of rounds. */
function planVisits(rollouts: readonly Rollout[]): Rollout[][][] {
  const prompts = new Map<string, Rollout[][]>();
  for (const group of groupRollouts(rollouts).values()) {
    const promptId = group[0]?.promptId ?? '';
    prompts.set(promptId, [...(prompts.get(promptId) ?? []), group]);
  }
  const roundOf = (group: readonly Rollout[]) => group[0]?.round ?? 0;
  return [...prompts.values()].map((visits) => visits.sort((a, b) => roundOf(a) - roundOf(b)));
}

/**
 * Prompts in chunks that all agents have in common, each in its own order within them. Two trainers that
 * each wait in their own order, and cannot send everything at once, would wait for each other.
 */
async function sendAll(prompts: readonly Rollout[][][]): Promise<void> {
  const [largest = 1] = prompts
    .flat()
    .map((visit) => visit.length)
    .sort((a, b) => b - a);
  const atOnce = Math.max(1, Math.floor(MOST_AT_ONCE / largest));
  for (let from = 0; from < prompts.length; from += atOnce) {
    const chunk = random.shuffle(prompts.slice(from, from + atOnce));
    await Promise.all(chunk.map((visits) => sendVisits(visits)));
  }
}

async function sendVisits(visits: readonly Rollout[][]): Promise<void> {
  await delay(random.next() * 500);
  for (const visit of visits) await sendVisit(visit);
}

/**
 * Sends a visit, and breaks some of its connections on the way. Its last rollout waits for the tool's
 * word, which comes when the student has broken all connections that it will: a reply that was written to
 * a connection as it broke cannot be told from one that was read, as this protocol has no ids. It is the
 * same rollout after a restart, since the server has the others by then.
 */
async function sendVisit(visit: readonly Rollout[]): Promise<void> {
  const [last, ...others] = visit.toSorted((a, b) => b.index - a.index);
  if (last === undefined) return;
  const group = groupName(last);
  const sent = random.shuffle(others).map((rollout) => {
    const broken = delay(random.next() * pace * visit.length).then(() => breakSome(rollout));
    return { broken, rewarded: broken.then(() => sendUntilRewarded(rollout)) };
  });
  await Promise.all(sent.map(({ broken }) => broken));
  link.tell({ kind: 'ready', group });
  if (!released.has(group)) {
    await new Promise<void>((resolve) => whenReleased.set(group, resolve));
  }
  await Promise.all([...sent.map(({ rewarded }) => rewarded), sendUntilRewarded(last)]);
}

async function breakSome(rollout: Rollout): Promise<void> {
  for (let chance = BREAKS; random.chance(chance); chance = BREAKS_AGAIN) {
    const how = random.pick<Break>(['in-upload', 'when-sent', 'while-held']);
    link.counters.posts += 1;
    link.counters.sent += 1;
    link.counters.aborts += 1;
    const body = writeQuery(rollout, position, labelStyle);
    const answered = await breakConnection({ url: `${link.start.url}${path}`, body, how, random });
    if (answered !== null && answered !== 503)
      link.fault(`${rollout.name} was answered ${answered} too early`);
    await link.pause();
  }
}

async function sendUntilRewarded(rollout: Rollout): Promise<void> {
  const body = writeQuery(rollout, position, labelStyle);
  for (let tries = 1; ; tries++) {
    link.counters.posts += 1;
    link.counters.sent += 1;
    link.counters.mostTries = Math.max(link.counters.mostTries, tries);
    const reply = await link.request({ method: 'POST', path, body, agent: false });
    if (reply === null) link.counters.broken += 1;
    else if (reply.status === 200) {
      const { rewarded, keys, faults } = readReply(rollout, reply.text, logKeys);
      logKeys = keys;
      for (const fault of faults) link.fault(`${rollout.name}: ${fault}`);
      link.report([rewarded]);
      return;
    } else if (reply.status === 503) link.counters.unavailable += 1;
    else {
      link.fault(`${rollout.name} was refused`, reply);
      return;
    }
    await link.pause();
  }
}

await sendAll(planVisits(link.readRollouts()));
link.finish();
