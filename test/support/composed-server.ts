import { readFileSync } from 'node:fs';
import { composeServer, type Server } from '../../src/cli/compose.ts';
import { systemClock } from '../../src/cli/system-clock.ts';
import type { FlagValues } from '../../src/config/flags.ts';
import { formatProblems } from '../../src/config/layer.ts';
import { loadConfig } from '../../src/config/load.ts';

/** A whole server in this process, put together from flags as `peervote serve` does, that listens nowhere. */
export async function composeFromFlags(flags: FlagValues): Promise<Server> {
  const base = { logLevel: 'silent', agents: 'a,b', k: '2', mode: 'raw' };
  const loaded = loadConfig({
    flags: { ...base, ...flags },
    env: {},
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
  return composeServer({ config: loaded.config, clock: systemClock });
}

/** Status and detail of `/readyz`; the detail is empty where all is well. */
export async function readiness({
  app,
}: Server): Promise<{ readonly status: number; readonly detail: string }> {
  const reply = await app.inject('/readyz');
  return { status: reply.statusCode, detail: reply.json<{ detail?: string }>().detail ?? '' };
}

/** What the two agents of a cohort are paid for a prompt on which both answer 4 and 5, through a whole server. */
export async function payBoth({ app }: Server, promptId: string): Promise<readonly unknown[]> {
  const replies = await Promise.all(
    ['a', 'b'].map((agent) =>
      app.inject({
        method: 'POST',
        url: `/v1/cohorts/default/agents/${agent}/rollouts?wait=20`,
        payload: {
          submission_id: `${agent}-${promptId}`,
          groups: [
            {
              prompt_id: promptId,
              rollouts: ['4', '5'].map((answer, index) => ({ id: `r${index}`, index, answer })),
            },
          ],
        },
      }),
    ),
  );
  return replies
    .map((reply) => reply.json<{ groups?: [{ rewards: unknown }]; detail?: string }>())
    .map(({ groups, detail }) => groups?.[0].rewards ?? detail);
}
