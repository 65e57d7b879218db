import { z } from 'zod';
import { type Check, fail, ok, skip, warn } from './check.ts';
import { detailOf } from './check-server.ts';
import type { AgentView, CohortView } from './cohort-view.ts';
import { makeFakes, rightAnswer, whyNotFaked } from './fakes.ts';
import type { Link, LinkReply } from './link.ts';

const NAME = 'dry step';
/** Seconds that one request waits for a decision, which here takes milliseconds. */
const WAIT_S = 10;
/** Methods whose rewards do not follow from the answers. */
const BLIND = new Set(['random', 'format', 'inverted', 'rent', 'intuitor']);

const decidedSchema = z.looseObject({
  groups: z.tuple([
    z.looseObject({
      status: z.string(),
      reason: z.string().nullable(),
      rewards: z.array(z.number().nullable()),
    }),
  ]),
});

export interface DryStepOptions {
  readonly cohort: CohortView;
  /** A name that no cohort has. */
  readonly scratch: string;
  /** Of an administrator; null where the server wants none. */
  readonly token: string | null;
}

/**
 * Every agent sends a group of fakes through the native protocol, in a cohort of the same settings that is deleted again
 * whatever happens, and each learner has to be paid more for what its teachers voted for.
 */
export async function makeDryStep(link: Link, options: DryStepOptions): Promise<Check> {
  const { cohort, scratch, token } = options;
  const reason = whyNotFaked(cohort);
  if (reason !== null) return skip(NAME, `Not made: ${reason}.`);
  const path = `/v1/cohorts/${encodeURIComponent(scratch)}`;
  const made = await link({ method: 'PUT', path, body: cohort.config, token });
  if (made.status === 403 || made.status === 401) return skip(NAME, 'Not made: it needs an admin token.');
  if (made.status !== 201) {
    return fail(NAME, `A scratch cohort of the same settings cannot be made: ${detailOf(made)}`);
  }
  let check: Check;
  try {
    check = await runIn(link, path, options);
  } catch (error) {
    check = fail(NAME, error instanceof Error ? error.message : String(error));
  } finally {
    await link({ method: 'DELETE', path, token }).catch(() => null);
  }
  return check;
}

async function runIn(link: Link, path: string, { cohort, token }: DryStepOptions): Promise<Check> {
  // A label of an earlier visit is what `last-label` pays by.
  const visits = cohort.barrier === 'last-label' ? 2 : 1;
  for (let visit = 1; visit < visits; visit++) await visitOnce(link, path, cohort, token, visit);
  const replies = await visitOnce(link, path, cohort, token, visits);
  const paid: string[] = [];
  for (const agent of cohort.agents.filter(({ learns }) => learns)) {
    const reply = replies.get(agent.name);
    const judged = judge(cohort, agent, reply ?? { status: 0, body: null });
    if (typeof judged !== 'string') return judged;
    paid.push(judged);
  }
  return ok(
    NAME,
    `Every agent sent a group of fakes through the real protocol and was paid: ${paid.join('; ')}.`,
  );
}

/** One group of every agent, and what each is answered in the end. Throws what a refused one is told. */
async function visitOnce(
  link: Link,
  path: string,
  cohort: CohortView,
  token: string | null,
  step: number,
): Promise<ReadonlyMap<string, LinkReply>> {
  const pathOf = (agent: AgentView) => `${path}/agents/${encodeURIComponent(agent.name)}`;
  for (const agent of cohort.agents) {
    const rollouts = makeFakes(cohort, agent.k).map(({ wire }) => wire);
    const group = { prompt_id: 'doctor', ground_truth: rightAnswer(cohort), rollouts };
    const body = { submission_id: `doctor-${step}`, step, groups: [group] };
    const sent = await link({ method: 'POST', path: `${pathOf(agent)}/rollouts`, body, token });
    if (sent.status >= 300) throw new Error(`The fakes of "${agent.name}" were refused: ${detailOf(sent)}`);
  }
  const answered = new Map<string, LinkReply>();
  for (const agent of cohort.agents) {
    const asked = `${pathOf(agent)}/submissions/doctor-${step}?wait=${WAIT_S}`;
    answered.set(agent.name, await link({ method: 'GET', path: asked, token }));
  }
  return answered;
}

/** What an agent was paid in words, or what is wrong with it. */
function judge(cohort: CohortView, { name, k }: AgentView, reply: LinkReply): Check | string {
  if (reply.status === 202)
    return fail(NAME, `"${name}" still waits after ${WAIT_S} s although all agents have sent.`);
  const parsed = decidedSchema.safeParse(reply.body);
  if (!parsed.success) return fail(NAME, `"${name}" was not paid: ${detailOf(reply)}`);
  const [{ status, reason, rewards }] = parsed.data.groups;
  if (status !== 'scored') {
    return fail(
      NAME,
      `"${name}" got no label although its teachers agree (${status}): ${reason ?? 'no reason'}`,
    );
  }
  if (rewards.length !== k || rewards.some((reward) => reward === null)) {
    return fail(
      NAME,
      `"${name}" sent ${k} rollouts and was paid for ${rewards.filter((each) => each !== null).length}.`,
    );
  }
  const sorted = { right: [] as number[], wrong: [] as number[] };
  makeFakes(cohort, k).forEach(({ isRight }, at) => {
    sorted[isRight ? 'right' : 'wrong'].push(rewards[at] ?? 0);
  });
  const [least, most] = [Math.min(...sorted.right), Math.max(...sorted.wrong)];
  const words = `${name} ${sorted.right.length} of ${k} right`;
  if (BLIND.has(cohort.method)) return words;
  return least > most
    ? words
    : warn(
        NAME,
        `"${name}" was paid ${least} for right answers and ${most} for wrong ones: look at the settings of reward.`,
      );
}
