import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { VERSION } from '../version.ts';
import { type Check, exitCodeOf, fail, skip } from './check.ts';
import { checkAddress } from './check-address.ts';
import { checkAgents, checkCohort, checkK } from './check-cohort.ts';
import { checkIds, checkSplit, checkTruths, type DataSet } from './check-data.ts';
import { checkPair } from './check-pair.ts';
import { checkSeeds } from './check-seeds.ts';
import {
  checkAgentToken,
  checkServer,
  checkToken,
  detailOf,
  type Role,
  unreachable,
} from './check-server.ts';
import { type CohortView, parseCohortView } from './cohort-view.ts';
import { openDataSets } from './data-sets.ts';
import { makeDryStep } from './dry-step.ts';
import { httpLink, type Link } from './link.ts';
import type { DoctorSettings } from './settings.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
}

/** What is known of the server after it was asked. */
interface Known {
  readonly checks: readonly Check[];
  /** Null: it cannot be asked. */
  readonly link: Link | null;
  readonly role: Role | null;
  readonly cohort: CohortView | null;
}

/** Every check of a run that is about to start: the server, its cohort, the data sets, and a dry step through it all. */
export async function diagnose(settings: DoctorSettings, { env, stdin }: Surroundings): Promise<Check[]> {
  const scratch = `doctor-${randomBytes(6).toString('hex')}`;
  const { checks, link, role, cohort } = await askServer(settings, env, scratch);
  const { data, eval: evalFiles, idColumn, promptColumn, truthColumn, labelColumn } = settings;
  const columns = {
    id: idColumn ?? null,
    prompt: promptColumn ?? null,
    truth: truthColumn ?? null,
    label: labelColumn,
  };
  const agents = cohort?.agents.map(({ name }) => name) ?? null;
  const training = await openDataSets(data, 'data', agents, columns, stdin);
  const evaluation = await openDataSets(evalFiles, 'eval data', agents, columns, stdin);
  const given = training.sets.map(({ agent }) => agent);
  return [
    ...checks,
    ...(cohort === null ? [] : [...checkAgents(cohort, given), ...checkK(cohort, settings.k)]),
    ...training.checks,
    ...evaluation.checks,
    ...checkSets(training.sets, settings, cohort),
    ...evaluation.sets.map((set) => checkSplit(set, true)),
    ...(given.length > 1 ? [checkSeeds(given, settings.seed, settings.order ?? null)] : []),
    await tryOut(link, role, cohort, settings, scratch),
  ];
}

async function askServer(
  settings: DoctorSettings,
  env: Surroundings['env'],
  scratch: string,
): Promise<Known> {
  const { url, cohort: name, agentToken } = settings;
  const none = { link: null, role: null, cohort: null };
  const address = checkAddress(url, env);
  if (exitCodeOf(address) > 0) return { ...none, checks: [...address, unreachable('cohort')] };
  const link = httpLink(url);
  try {
    const server = await checkServer(link, url, VERSION);
    const checks = [...address, ...server];
    if (exitCodeOf(server) > 0) return { ...none, checks: [...checks, unreachable('cohort')] };
    const token = settings.token ?? null;
    const { check, role } = await checkToken(link, token, scratch);
    checks.push(check);
    if (role !== 'anyone') {
      for (const [agent, own] of agentToken) checks.push(await checkAgentToken(link, name, agent, own));
    }
    if (role === null) return { ...none, checks: [...checks, unreachable('cohort')] };
    const path = `/v1/cohorts/${encodeURIComponent(name)}`;
    const reply = await link({ method: 'GET', path, token });
    const cohort = reply.status === 200 ? parseCohortView(reply.body) : null;
    const about =
      cohort !== null
        ? checkCohort(cohort)
        : [
            fail(
              'cohort',
              reply.status === 200
                ? 'The server describes it in a way that this version cannot read.'
                : detailOf(reply),
            ),
          ];
    return { checks: [...checks, ...about], link, role, cohort };
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return { ...none, checks: [...address, fail('server', says), unreachable('cohort')] };
  }
}

/** The data sets each for itself, and each against the first. */
function checkSets(sets: readonly DataSet[], settings: DoctorSettings, cohort: CohortView | null): Check[] {
  const mode = settings.mode ?? cohort?.mode ?? 'auto';
  const viewOf = (agent: string) => cohort?.agents.find(({ name }) => name === agent)?.view;
  const isPaid = cohort?.paysTruth ?? false;
  const waits = cohort?.barrier !== 'last-label';
  const [first, ...others] = sets;
  return [
    ...sets.flatMap((set) => [checkIds(set), checkSplit(set, false), checkTruths(set, mode, isPaid)]),
    ...others.flatMap((other) =>
      first === undefined
        ? []
        : checkPair(first, other, {
            mode,
            waits,
            sameView: viewOf(first.agent) === viewOf(other.agent),
          }),
    ),
  ];
}

async function tryOut(
  link: Link | null,
  role: Role | null,
  cohort: CohortView | null,
  { token, dryStep }: DoctorSettings,
  scratch: string,
): Promise<Check> {
  if (!dryStep) return skip('dry step', 'Not made: --no-dry-step.');
  if (link === null) return unreachable('dry step');
  if (cohort === null) return skip('dry step', 'Not made: there is no cohort to copy.');
  if (role !== 'anyone' && role !== 'admin') return skip('dry step', 'Not made: it needs an admin token.');
  return makeDryStep(link, { cohort, scratch, token: token ?? null });
}
