import { composeFromFlags } from '../../test/support/composed-server.ts';

/** A request that a user of such a system reported, and what must come back. */
interface Report {
  id: string;
  kind: string;
  input: Record<string, unknown> & { endpoint?: string };
  expected: Record<string, unknown> | readonly number[];
}

type Server = Awaited<ReturnType<typeof composeFromFlags>>;

interface Request {
  url: string;
  payload: object;
  /** What the reply says of what the report expects, under the same names. */
  read: (reply: Reply) => Record<string, unknown>;
}

interface Reply {
  results?: ReadonlyArray<Record<string, unknown>>;
  groups?: ReadonlyArray<{ rewards?: unknown[]; rollouts?: ReadonlyArray<{ reward: unknown }> }>;
  rewards?: unknown[];
  label?: unknown;
  reward?: unknown;
}

/** Sends each report that names an endpoint through a whole server; the share that comes back as expected, 0 to 1. */
export async function reportRequests(lines: readonly string[], list: boolean): Promise<number> {
  const reports = lines.map((line) => JSON.parse(line) as Report);
  const server = await composeFromFlags({ mode: 'boxed', k: '4' });
  const kinds = new Map<string, { right: number; all: number }>();
  let left = 0;
  try {
    for (const report of reports) {
      const request = buildRequest(report);
      if (request === null) {
        left += 1;
        continue;
      }
      const tally = kinds.get(report.kind) ?? { right: 0, all: 0 };
      kinds.set(report.kind, tally);
      tally.all += 1;
      const { right, got } = await send(server, report, request);
      if (right) tally.right += 1;
      else if (list)
        console.log(`  miss ${report.id} ${report.kind} got ${got} ${JSON.stringify(report.input)}`);
    }
  } finally {
    await server.close();
  }
  const sum = [...kinds.values()].reduce((a, b) => ({ right: a.right + b.right, all: a.all + b.all }));
  for (const [kind, { right, all }] of kinds) console.log(`  ${kind.padEnd(36)} ${right}/${all}`);
  console.log(
    `  total ${sum.right}/${sum.all}; ${left} more need a trainer's adapter, a proxy or a fault of Redis, and are tests`,
  );
  return sum.right / sum.all;
}

async function send(
  server: Server,
  report: Report,
  { url, payload, read }: Request,
): Promise<{ right: boolean; got: string }> {
  const reply = await server.app.inject({ method: 'POST', url, payload });
  const { expected } = report;
  if (Array.isArray(expected)) {
    return { right: expected.includes(reply.statusCode), got: String(reply.statusCode) };
  }
  const body = reply.json<Reply | number>();
  const found = read(typeof body === 'number' ? { reward: body } : body);
  const right = Object.entries(expected).every(
    ([name, value]) => JSON.stringify(found[name]) === JSON.stringify(value),
  );
  return { right, got: `${reply.statusCode} ${JSON.stringify(found)}` };
}

/** Null for a report that no single request shows. */
function buildRequest({ id, input }: Report): Request | null {
  const { endpoint, ...fields } = input;
  switch (endpoint) {
    case 'POST /v1/grade':
    case 'POST /v1/extract':
      return {
        url: endpoint.slice('POST '.length),
        payload: { items: [fields] },
        read: (reply) => reply.results?.[0] ?? {},
      };
    case 'POST /v1/vote':
      return { url: '/v1/vote', payload: fields, read: ({ label }) => ({ label }) };
    case 'POST native rollouts':
      return native(id, fields.split, fields.group);
    case 'POST native, split eval, mode code': {
      const { completion, ...group } = fields;
      return native(id, 'eval', { mode: 'code', ...group, rollouts: [{ index: 0, completion }] });
    }
    case 'POST /openrlhf':
      return {
        url: '/openrlhf/default/a',
        payload: {
          query: [fields.query],
          prompts: [fields.prompt],
          labels: [JSON.stringify(identified(id, fields.label))],
        },
        read: ({ rewards }) => ({ reward: rewards?.[0] }),
      };
    case 'POST /slime':
      return {
        url: '/slime/default/a',
        payload: { ...fields, label: identified(id, fields.label) },
        read: ({ reward }) => ({ reward }),
      };
    default:
      return null;
  }
}

function native(id: string, split: unknown, group: unknown): Request {
  return {
    url: '/v1/cohorts/default/agents/a/rollouts',
    payload: { submission_id: id, split, groups: [{ prompt_id: id, ...(group as object) }] },
    read: ({ groups }) => ({
      rewards: groups?.[0]?.rewards,
      reward: groups?.[0]?.rollouts?.[0]?.reward,
    }),
  };
}

function identified(id: string, label: unknown): object {
  return { pid: id, ...(label as object) };
}
