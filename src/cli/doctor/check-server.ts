import { z } from 'zod';
import { type Check, fail, ok, skip, warn } from './check.ts';
import type { Link, LinkReply } from './link.ts';

/** What the token lets its bearer do; `anyone` where the server wants none. */
export type Role = 'anyone' | 'admin' | 'reader' | 'agent';

const health = z.looseObject({ status: z.literal('ok') });
const description = z.looseObject({ info: z.looseObject({ version: z.string() }) });
const problem = z.looseObject({ detail: z.string() });

/** What a server said of a request that it refused. */
export function detailOf({ status, body }: LinkReply): string {
  const parsed = problem.safeParse(body);
  return parsed.success ? parsed.data.detail : `It answered with status ${status}.`;
}

/** Whether a PeerVote answers there, takes requests, and is of this version. Without a FAIL it can be asked for more. */
export async function checkServer(link: Link, url: string, version: string): Promise<Check[]> {
  const said = await link({ method: 'GET', path: '/healthz' }).catch((error: Error) => error.message);
  if (typeof said === 'string') return [fail('server', said)];
  if (said.status !== 200 || !health.safeParse(said.body).success) {
    return [
      fail(
        'server',
        `Something answers at ${url}, but not as PeerVote does (status ${said.status}): is the port right, or does a proxy answer?`,
      ),
    ];
  }
  const ready = await link({ method: 'GET', path: '/readyz' });
  if (ready.status !== 200) return [fail('server', `It is alive, but takes no requests: ${detailOf(ready)}`)];
  const described = description.safeParse((await link({ method: 'GET', path: '/openapi.json' })).body);
  const running = described.success ? described.data.info.version : 'an unknown version';
  return [
    ok('server', `${url} answers and takes requests.`),
    running === version
      ? ok('version', `Server and command are both ${version}.`)
      : warn('version', `The server is ${running} and this command ${version}: install the same for both.`),
  ];
}

/** Whether the server wants a token, whether it knows this one, and whose it is. Changes nothing. */
export async function checkToken(
  link: Link,
  token: string | null,
  absent: string,
): Promise<{ readonly check: Check; readonly role: Role | null }> {
  const open = await link({ method: 'GET', path: '/v1/cohorts' });
  if (open.status === 200) {
    const unused = token === null ? '' : ', and the one that was given is not looked at';
    return { check: ok('token', `The server wants no token${unused}.`), role: 'anyone' };
  }
  if (token === null) {
    const says = 'The server wants a token: give --token or PEERVOTE_TOKEN, here and in each job.';
    return { check: fail('token', says), role: null };
  }
  // Deleting what is not there changes nothing, and only administrators may try.
  const asAdmin = await link({ method: 'DELETE', path: `/v1/cohorts/${absent}`, token });
  if (asAdmin.status === 404)
    return { check: ok('token', 'It is a token of an administrator.'), role: 'admin' };
  if (asAdmin.status === 401) {
    return {
      check: fail('token', 'The server does not know this token: compare it with its file.'),
      role: null,
    };
  }
  const asReader = await link({ method: 'GET', path: '/v1/cohorts', token });
  if (asReader.status === 200) return { check: ok('token', 'It is a token for reading.'), role: 'reader' };
  const [, whose = 'of an agent'] = /This token is (.*?), and/.exec(detailOf(asReader)) ?? [];
  return { check: ok('token', `It is a token ${whose}.`), role: 'agent' };
}

/** Whether a job's own token lets it act as its agent. */
export async function checkAgentToken(
  link: Link,
  cohort: string,
  agent: string,
  token: string,
): Promise<Check> {
  const name = `token ${agent}`;
  const path = `/v1/cohorts/${encodeURIComponent(cohort)}/agents/${encodeURIComponent(agent)}/submissions/none`;
  const reply = await link({ method: 'GET', path, token });
  if (reply.status === 401)
    return fail(name, 'The server does not know this token: compare it with its file.');
  return reply.status === 403
    ? fail(name, detailOf(reply))
    : ok(name, `It lets its job act as "${agent}" of cohort "${cohort}".`);
}

/** What every later check says when there is no server to ask. */
export function unreachable(name: string): Check {
  return skip(name, 'Not checked: the server cannot be asked.');
}
