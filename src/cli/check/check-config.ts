import type { Config } from '../../config/schema.ts';
import type { Agent, Cohort } from '../../domain/cohort.ts';
import { methodOf } from '../../methods/registry.ts';
import { type Check, fail, ok, warn } from '../doctor/check.ts';

/** What a trainer does by itself, and how long it waits for a reward: docs/trainers.md. */
const OPENRLHF_TRY_MS = 180_000;
const SLIME_TRY_MS = 120_000;
const SLIME_CONNECTIONS = 64;
const GIVES_UP: readonly (readonly [trainer: string, afterMs: number, how: string])[] = [
  ['OpenRLHF', 5 * OPENRLHF_TRY_MS, 'crashes after 5 tries of 180 s'],
  ['ROLL', 5 * 300_000, 'pays 0 without an error after 5 cycles of 300 s'],
  ['TRL on several ranks', 1_800_000, 'ends after ddp_timeout, 1800 s unless you set it'],
];
/** Fewer votes make labels that are often wrong. */
const FEW_ROLLOUTS = 8;

/** What the server itself is set to: who may use it, what it stores in, and how long it holds requests. */
export function checkServerConfig({ server, redis }: Config): Check[] {
  const { host, port, openAccess, tokens, tokensFile, replicas } = server;
  const doors =
    tokens !== null || tokensFile !== null
      ? 'callers need a token'
      : openAccess
        ? 'everybody who reaches it may do everything'
        : 'whoever uses this machine may do everything';
  const checks = [
    (openAccess ? warn : ok)('listen', `It listens on ${host}:${port}, and ${doors}.`),
    ok(
      'store',
      redis === null
        ? 'The store is the memory of one process: what is not decided is lost when it ends.'
        : `The store is a Redis for ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}.`,
    ),
  ];
  if (server.openrlhfHoldMs >= OPENRLHF_TRY_MS) {
    checks.push(
      warn(
        'holds',
        `openrlhf_hold_ms is ${server.openrlhfHoldMs}, and OpenRLHF gives up a try after 180 s: stay below.`,
      ),
    );
  }
  if (server.slimeHoldMs >= SLIME_TRY_MS) {
    checks.push(
      warn(
        'holds',
        `slime_hold_ms is ${server.slimeHoldMs}, and slime gives up a try after 120 s: stay below.`,
      ),
    );
  }
  if (server.slimeHeldPerAgent >= SLIME_CONNECTIONS) {
    checks.push(
      warn(
        'holds',
        `slime_held_per_agent is ${server.slimeHeldPerAgent}, and slime has 64 connections: rollouts that peers wait for would find none. Stay below.`,
      ),
    );
  }
  return checks;
}

/** What a cohort means for those who train in it. */
export function checkCohortConfig(cohort: Cohort, hasJudge: boolean): Check[] {
  return [
    checkGraph(cohort),
    checkGroupSizes(cohort),
    checkDeadline(cohort),
    ...checkNeeds(cohort, hasJudge),
  ];
}

function checkGraph(cohort: Cohort): Check {
  const name = `${cohort.name} agents`;
  const learners = cohort.agents.filter(({ role }) => role === 'learner');
  const edges = learners.map((agent) => ({ agent: agent.name, teachers: teachersOf(cohort, agent) }));
  const said = edges.map(({ agent, teachers }) =>
    teachers.length === 0 ? `${agent} waits for nobody` : `${agent} waits for ${teachers.join(', ')}`,
  );
  const about = `Method ${cohort.method}: ${said.join('; ')}.`;
  const teaching = new Set(edges.flatMap(({ teachers }) => teachers));
  const idle = cohort.agents.filter((agent) => !teaching.has(agent.name)).map((agent) => agent.name);
  if (learners.length === 0) return fail(name, 'No agent learns: all have role teacher.');
  return cohort.method === 'co-rl' && idle.length > 0
    ? warn(name, `${about} Nobody learns from ${idle.join(', ')}.`)
    : ok(name, about);
}

function teachersOf(cohort: Cohort, agent: Agent): readonly string[] {
  return methodOf(cohort.method).waitsFor(cohort, agent, null);
}

function checkGroupSizes({ name, agents, method }: Cohort): Check {
  const all = agents.map((agent) => `${agent.name} ${agent.k}`).join(', ');
  const about = `Rollouts per prompt, which trainers must sample exactly: ${all}.`;
  const few = agents.filter(({ k }) => k < FEW_ROLLOUTS);
  return few.length > 0 && !['ground-truth', 'llm-judge', 'format', 'random'].includes(method)
    ? warn(`${name} k`, `${about} Fewer than ${FEW_ROLLOUTS} votes often make a wrong label.`)
    : ok(`${name} k`, about);
}

function checkDeadline({ name, barrier }: Cohort): Check {
  const check = `${name} deadline`;
  const { mode, deadlineMs, quorum, graceMs } = barrier;
  if (mode === 'last-label')
    return ok(
      check,
      `barrier last-label: nobody waits; labels are up to ${barrier.maxStaleness} rounds old.`,
    );
  const early =
    quorum === null
      ? 'A group that never fills costs all of it; with a quorum it ends earlier.'
      : `With ${quorum} rollouts a group ends after ${graceMs / 1000} s.`;
  const impatient = GIVES_UP.filter(([, afterMs]) => deadlineMs >= afterMs);
  if (impatient.length === 0)
    return ok(check, `An agent waits at most ${deadlineMs / 1000} s for its teachers. ${early}`);
  const who = impatient.map(([trainer, , how]) => `${trainer} ${how}`).join('; ');
  return warn(check, `deadline_ms is ${deadlineMs}, but ${who}: where you use it, stay below. ${early}`);
}

/** What a method needs beside texts, which a trainer that knows only a URL cannot send. */
function checkNeeds(cohort: Cohort, hasJudge: boolean): Check[] {
  const { name, method } = cohort;
  const { needs, needsTruth } = methodOf(method);
  const checks: Check[] = [];
  if (needsTruth(cohort)) {
    checks.push(
      warn(
        `${name} method`,
        `Method ${method} rewards by the ground truth: every training row must have one that can be read.`,
      ),
    );
  }
  if (needs.length > 0) {
    checks.push(
      warn(
        `${name} method`,
        `Method ${method} needs more than texts (${needs.join(', ')}): send it with the Python client. OpenRLHF, slime and ROLL over a URL cannot.`,
      ),
    );
  }
  if (method === 'llm-judge' && !hasJudge) {
    checks.push(fail(`${name} method`, 'Method llm-judge needs a judge: give judge.url and judge.model.'));
  }
  return checks;
}

/** Whether tokens and agents fit each other. `agents`: cohort/agent of each token that is an agent's. */
export function checkTokens(cohorts: readonly Cohort[], agents: readonly string[]): Check[] {
  const known = cohorts.flatMap(({ name, agents: all }) => all.map((agent) => `${name}/${agent.name}`));
  const stray = agents.filter((agent) => !known.includes(agent));
  const without = agents.length === 0 ? [] : known.filter((agent) => !agents.includes(agent));
  const checks: Check[] = [];
  if (stray.length > 0) {
    checks.push(
      warn('tokens', `There are tokens for ${stray.join(', ')}, but no such agents in the configuration.`),
    );
  }
  if (without.length > 0) {
    checks.push(
      warn('tokens', `No token is for ${without.join(', ')}: its job needs one of an administrator.`),
    );
  }
  return checks.length > 0 ? checks : [ok('tokens', 'The tokens can be read.')];
}
