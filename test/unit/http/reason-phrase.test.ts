import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import { registerErrors } from '../../../src/http/errors.ts';
import { toReasonPhrase } from '../../../src/http/reason-phrase.ts';
import { RefusalLog } from '../../../src/http/refusal-log.ts';

/** An app whose routes all refuse, the time that it goes by, and what its log was told. */
async function openRefusing(code: ConstructorParameters<typeof ServiceError>[0] = 'unknown_agent') {
  const lines: {
    readonly level: number;
    readonly msg: string;
    readonly address?: string;
    readonly agent?: string;
  }[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const app = Fastify({
    logger: { level: 'warn', stream },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
  });
  const time = { now: 0 };
  registerErrors(app, new RefusalLog({ now: () => time.now }));
  for (const url of ['/openrlhf/:cohort/:agent', '/slime/:cohort/:agent', '/v1/:cohort/:agent']) {
    app.post(url, async () => {
      throw new ServiceError(code, 'There is no\r\nagent "qwn": it’s llama.');
    });
  }
  return { app, time, lines };
}

describe('a reason phrase', () => {
  it('is one line of printable ASCII, of at most 200 characters', () => {
    expect(toReasonPhrase('No\r\nagent "qwén"\t…')).toBe('No agent "qw?n" ...');
    expect(toReasonPhrase('x'.repeat(100_000))).toBe(`${'x'.repeat(197)}...`);
    expect(toReasonPhrase('x'.repeat(200))).toHaveLength(200);
  });

  it('says what is wrong to the trainers that log nothing else, and is the usual one for others', async () => {
    const { app } = await openRefusing();
    const reasonOf = async (url: string) => (await app.inject({ method: 'POST', url })).statusMessage;
    expect(await reasonOf('/openrlhf/math/qwn')).toBe('There is no agent "qwn": it?s llama.');
    expect(await reasonOf('/slime/math/qwn')).toBe('There is no agent "qwn": it?s llama.');
    expect(await reasonOf('/v1/math/qwn')).toBe('Not Found');
  });
});

describe('the log of refusals', () => {
  it('has a line with agent and address, once a minute for each', async () => {
    const { app, time, lines } = await openRefusing();
    const send = (agent: string) => app.inject({ method: 'POST', url: `/openrlhf/math/${agent}` });
    await send('qwn');
    await send('qwn');
    await send('lama');
    expect(lines.map(({ agent, address }) => [agent, address])).toEqual([
      ['qwn', '127.0.0.1'],
      ['lama', '127.0.0.1'],
    ]);
    expect(lines[0]?.msg).toMatch(/^Refused: There is no/);
    time.now = 60_000;
    await send('qwn');
    expect(lines).toHaveLength(3);
  });

  it('has nothing of what is only to be sent again, nor of pages that are not there', async () => {
    const { app, lines } = await openRefusing('not_decided_yet');
    await app.inject({ method: 'POST', url: '/openrlhf/math/qwen' });
    await app.inject({ method: 'GET', url: '/favicon.ico' });
    expect(lines).toEqual([]);
    await app.inject({ method: 'POST', url: '/openrlfh/math/qwen' });
    expect(lines).toHaveLength(1);
  });

  it('keeps to a bound of what it knows', async () => {
    const { app, lines } = await openRefusing();
    for (let at = 0; at < 1_100; at++) await app.inject({ method: 'POST', url: `/v1/math/a${at}` });
    expect(lines).toHaveLength(1_100);
    await app.inject({ method: 'POST', url: '/v1/math/a0' });
    await app.inject({ method: 'POST', url: '/v1/math/a1099' });
    expect(lines).toHaveLength(1_101);
  });
});
