import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '../support/http.ts';
import { Random } from '../support/random.ts';
import { ClientLink } from './client-link.ts';
import { readSubmissionReply } from './native-reply.ts';
import { planSubmissions, type Submission, writeSubmission } from './native-submissions.ts';

/** The process of one agent's trainer that speaks the native protocol. Started by the tool alone. */

const POSTS_AT_ONCE = 8;
const POLLS_AT_ONCE = 12;
/** A POST that waited longer would keep rollouts back that a peer waits for. */
const POST_WAITS_S = [0, 0, 0.2, 1];
const POLL_WAIT_S = 2;

const link = new ClientLink();
const { cohort, agent, incarnation, seed } = link.start;
const random = new Random(seed);
const base = `/v1/cohorts/${cohort}/agents/${agent}`;
const connections = new Agent({ keepAlive: true });
/** Mean time between two submissions in ms: each trainer has its own pace. */
const pace = random.between(20, 50);

const toSend = planSubmissions(link.readRollouts(), {
  random,
  prefix: incarnation === null ? `${process.pid}` : `${incarnation}-${process.pid}`,
});
const toPoll: Submission[] = [];
let unsettled = toSend.length;

async function postAll(): Promise<void> {
  for (let next = toSend.shift(); next !== undefined; next = toSend.shift()) {
    await delay(random.next() * 2 * pace * POSTS_AT_ONCE);
    await post(next);
  }
}

async function post(submission: Submission): Promise<void> {
  const body = writeSubmission(submission, incarnation);
  const path = `${base}/rollouts?wait=${random.pick(POST_WAITS_S)}`;
  for (let tries = 1; ; tries++) {
    link.counters.posts += 1;
    link.counters.sent += submission.rollouts.length;
    link.counters.mostTries = Math.max(link.counters.mostTries, tries);
    const reply = await link.request({ method: 'POST', path, body, agent: connections });
    if (reply !== null && handle(submission, reply)) return;
    await link.pause();
  }
}

async function pollAll(): Promise<void> {
  while (unsettled > 0) {
    const submission = toPoll.shift();
    if (submission === undefined) {
      await delay(20);
      continue;
    }
    link.counters.polls += 1;
    const path = `${base}/submissions/${submission.id}?wait=${POLL_WAIT_S}`;
    const reply = await link.request({ method: 'GET', path, agent: connections });
    if (reply?.status === 404) await post(submission);
    else if (reply === null || !handle(submission, reply)) {
      await link.pause();
      toPoll.push(submission);
    }
  }
}

/** False when the request must be sent again. */
function handle(submission: Submission, reply: Reply): boolean {
  switch (reply.status) {
    case 200: {
      const { rewards, faults } = readSubmissionReply(submission, reply.text);
      for (const fault of faults) link.fault(`submission ${submission.id}: ${fault}`);
      link.report(rewards);
      unsettled -= 1;
      return true;
    }
    case 202:
      link.counters.pending += 1;
      toPoll.push(submission);
      return true;
    case 503:
      link.counters.unavailable += 1;
      return false;
    default:
      link.fault(`submission ${submission.id} was refused`, reply);
      unsettled -= 1;
      return true;
  }
}

await Promise.all([
  ...Array.from({ length: POSTS_AT_ONCE }, postAll),
  ...Array.from({ length: POLLS_AT_ONCE }, pollAll),
]);
link.finish();
