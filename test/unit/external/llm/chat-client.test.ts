import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Budget } from '../../../../src/external/llm/budget.ts';
import type { ChatOutcome, ChatRequest } from '../../../../src/external/llm/chat.ts';
import { chatUrl } from '../../../../src/external/llm/chat-client.ts';
import { openChatClient } from '../../../support/chat-client.ts';
import type { FakeClock } from '../../../support/fake-clock.ts';
import {
  answers,
  type Behaviour,
  chatBody,
  cuts,
  dies,
  FakeEndpoint,
  floods,
  hangs,
  says,
  stalls,
} from '../../../support/fake-endpoint.ts';
import { settleDown, until } from '../../../support/service.ts';

const REQUEST: ChatRequest = {
  messages: [{ role: 'user', content: 'what?' }],
  maxTokens: 100,
  temperature: 0,
};

const CODE_OF_BROKEN = [
  ['no answer', hangs, 'timeout'],
  ['half an answer and silence', stalls, 'timeout'],
  ['half an answer', cuts, 'network'],
  ['a dropped connection', dies, 'network'],
  ['an error of the server', answers(500, 'boom'), 'server_error'],
  ['a timeout of the server', answers(408, ''), 'server_error'],
  ['a call for patience', answers(429, '{"error":{"message":"slow down"}}'), 'rate_limited'],
  ['what is no JSON', answers(200, '<html>'), 'bad_reply'],
  ['JSON of another shape', answers(200, '{"choices":[]}'), 'bad_reply'],
  ['cut JSON', answers(200, chatBody('yes').slice(0, 40)), 'bad_reply'],
] as const satisfies readonly (readonly [string, Behaviour, string])[];

describe('a chat client', () => {
  it('sends the model, the messages and the key, below any path and query', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(`${endpoint.url}/proxy/?version=2`, {
      apiKey: 'sk-1',
      extraBody: { top_p: 0.9, temperature: null },
    });
    endpoint.script(says('hello'));
    expect(await client.chat(REQUEST, { budgets: [] })).toEqual({
      kind: 'reply',
      text: 'hello',
      complete: true,
      usage: { promptTokens: 10, completionTokens: 5, estimated: false },
    });
    const [asked] = endpoint.asked;
    expect(asked?.path).toBe('/v1/proxy/chat/completions?version=2');
    expect(asked?.headers.authorization).toBe('Bearer sk-1');
    expect(asked?.body).toEqual({
      model: 'm',
      messages: REQUEST.messages,
      max_tokens: 100,
      stream: false,
      top_p: 0.9,
    });
  });

  it.each(CODE_OF_BROKEN)('tries again after %s', async (_, behaviour) => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock } = openChatClient(endpoint.url);
    endpoint.script(behaviour, says('at last'));
    const outcome = await running(client.chat(REQUEST, { budgets: [] }), clock);
    expect(outcome).toMatchObject({ kind: 'reply', text: 'at last' });
  });

  it.each(CODE_OF_BROKEN)('says what it was where every attempt ends with %s', async (_, behaviour, code) => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock, outcomes } = openChatClient(endpoint.url);
    endpoint.otherwise(behaviour);
    const outcome = await running(client.chat(REQUEST, { budgets: [] }), clock);
    expect(outcome).toMatchObject({
      kind: 'failed',
      code,
      message: expect.stringMatching(/^after 3 attempts: /),
    });
    expect(outcomes).toEqual([code, code, code]);
  });

  it('takes a refusal as final and keeps the key out of it', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url, { apiKey: 'sk-secret' });
    endpoint.script(answers(401, '{"error":{"message":"wrong key sk-secret"}}'));
    expect(await client.chat(REQUEST, { budgets: [] })).toEqual({
      kind: 'failed',
      code: 'rejected',
      message: 'HTTP 401: wrong key ***',
    });
    expect(endpoint.asked).toHaveLength(1);
  });

  it('reads no more of an endless answer than it may, once', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url);
    endpoint.otherwise(floods);
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ code: 'too_large' });
    expect(endpoint.asked).toHaveLength(1);
    await until(() => endpoint.open === 0);
  });

  it('waits a random part of a doubling time before each further attempt', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock, outcomes } = openChatClient(endpoint.url);
    endpoint.script(answers(500, ''), answers(500, ''), says('x'));
    const start = clock.now();
    const outcome = client.chat(REQUEST, { budgets: [] });
    await until(() => outcomes.length === 1 && clock.pending === 1);
    clock.advance(249);
    await settleDown();
    expect(outcomes).toHaveLength(1);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    await until(() => outcomes.length === 2 && clock.pending === 1);
    clock.advance(500);
    await outcome;
    expect(clock.now() - start).toBe(750);
  });

  it('stays away as long as the endpoint asks, with every request', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock, outcomes } = openChatClient(endpoint.url);
    endpoint.script(answers(429, '', { 'retry-after': '7' }));
    const first = client.chat(REQUEST, { budgets: [] });
    await until(() => outcomes.length === 1 && clock.pending === 1);
    const second = client.chat(REQUEST, { budgets: [] });
    await until(() => clock.pending === 2);
    clock.advance(6_999);
    await settleDown();
    expect(clock.pending).toBe(2);
    expect(endpoint.asked).toHaveLength(1);
    clock.advance(251);
    expect(await Promise.all([first, second])).toMatchObject([{ kind: 'reply' }, { kind: 'reply' }]);
  });

  it('gives up at once where the endpoint asks for more time than there is', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url);
    endpoint.script(answers(503, 'down', { 'retry-after': '61' }));
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ code: 'server_error' });
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ code: 'rate_limited' });
    expect(endpoint.asked).toHaveLength(1);
  });

  it('ends at its deadline whatever the attempts do', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock, outcomes } = openChatClient(endpoint.url, { deadlineMs: 1_600 });
    endpoint.otherwise(hangs);
    const start = clock.now();
    const outcome = client.chat(REQUEST, { budgets: [] });
    await endpoint.untilAsked(1);
    clock.advance(1_000);
    await until(() => outcomes.length === 1 && clock.pending === 1);
    clock.advance(250);
    await endpoint.untilAsked(2);
    clock.advance(350);
    expect(await outcome).toMatchObject({ code: 'timeout' });
    expect(clock.now() - start).toBe(1_600);
  });

  it('never has more requests open than it may', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url, { concurrency: 2 });
    const held: (() => void)[] = [];
    endpoint.otherwise((response, asked) => held.push(() => says('x')(response, asked)));
    const calls = Array.from({ length: 6 }, () => client.chat(REQUEST, { budgets: [] }));
    for (let answered = 0; answered < 6; answered += 2) {
      await until(() => held.length === 2);
      await settleDown();
      expect(client.queued).toBe(4 - answered);
      for (const answer of held.splice(0)) answer();
    }
    await Promise.all(calls);
    expect(endpoint.asked).toHaveLength(6);
    expect(endpoint.mostOpen).toBe(2);
  });

  it('leaves an endpoint alone that fails again and again, and probes it with one request', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock } = openChatClient(endpoint.url, {
      breaker: { failures: 3, openMs: 30_000 },
    });
    endpoint.otherwise(answers(500, 'boom'));
    await running(client.chat(REQUEST, { budgets: [] }), clock);
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ code: 'circuit_open' });
    expect(endpoint.asked).toHaveLength(3);
    clock.advance(30_000);
    endpoint.script(hangs);
    const probe = client.chat(REQUEST, { budgets: [] });
    await endpoint.untilAsked(4);
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ code: 'circuit_open' });
    clock.advance(1_000);
    expect(await running(probe, clock)).toMatchObject({ code: 'circuit_open' });
    clock.advance(30_000);
    endpoint.otherwise(says('well again'));
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ text: 'well again' });
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({ text: 'well again' });
  });

  it('sends nothing that the budget has no room for, and counts what a lost answer may have cost', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock } = openChatClient(endpoint.url);
    const budget = new Budget({ requests: null, tokens: 250, cost: null });
    endpoint.script(cuts, says('x'));
    expect(await running(client.chat(REQUEST, { budgets: [budget] }), clock)).toMatchObject({ text: 'x' });
    // 10 estimated + 100 reserved for the lost answer, 15 for the second.
    expect(budget.left.tokens).toBe(125);
    expect(await client.chat(REQUEST, { budgets: [budget] })).toMatchObject({ kind: 'reply' });
    expect(await client.chat(REQUEST, { budgets: [budget] })).toMatchObject({ kind: 'reply' });
    expect(await client.chat(REQUEST, { budgets: [budget] })).toMatchObject({ code: 'budget_spent' });
    expect(endpoint.asked).toHaveLength(4);
  });

  it('estimates what an endpoint does not say that it took', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url);
    endpoint.script(answers(200, chatBody('x'.repeat(30), 'length', null)));
    expect(await client.chat(REQUEST, { budgets: [] })).toMatchObject({
      complete: false,
      usage: { promptTokens: 10, completionTokens: 10, estimated: true },
    });
  });

  it('lets go of a request that nobody wants any more, sent or waiting', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock, outcomes } = openChatClient(endpoint.url, { concurrency: 1 });
    endpoint.otherwise(hangs);
    const stop = new AbortController();
    const sent = client.chat(REQUEST, { budgets: [], signal: stop.signal });
    const waiting = client.chat(REQUEST, { budgets: [], signal: stop.signal });
    await endpoint.untilAsked(1);
    stop.abort();
    expect(await Promise.all([sent, waiting])).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }]);
    expect(endpoint.asked).toHaveLength(1);
    expect(outcomes).toEqual(['aborted']);
    expect(clock.pending).toBe(0);
  });

  it('makes Node warn of no leak, however many requests are under way', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const endpoint = await FakeEndpoint.start();
    const { client } = openChatClient(endpoint.url, { concurrency: 30 });
    endpoint.otherwise(hangs);
    const calls = Array.from({ length: 60 }, () => client.chat(REQUEST, { budgets: [] }));
    await endpoint.untilAsked(30);
    await client.close();
    await Promise.all(calls);
    await settleDown();
    expect(warnings).toEqual([]);
  });

  it('ends everything when it is closed', async () => {
    const endpoint = await FakeEndpoint.start();
    const { client, clock } = openChatClient(endpoint.url, { concurrency: 1 });
    endpoint.otherwise(hangs);
    const calls = [client.chat(REQUEST, { budgets: [] }), client.chat(REQUEST, { budgets: [] })];
    await endpoint.untilAsked(1);
    await client.close();
    expect(await Promise.all(calls)).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }]);
    expect(clock.pending).toBe(0);
  });
});

describe('the URL of a chat endpoint', () => {
  it.each([
    ['http://h:8000/v1', 'http://h:8000/v1/chat/completions'],
    ['http://h/v1//', 'http://h/v1/chat/completions'],
    ['https://h/a/b/chat/completions', 'https://h/a/b/chat/completions'],
    ['https://h?api-version=1', 'https://h/chat/completions?api-version=1'],
  ])('is made of %s', (base, url) => {
    expect(chatUrl(base).href).toBe(url);
  });

  it.each(['ftp://h/v1', 'h/v1', ''])('is refused for "%s"', (base) => {
    expect(() => chatUrl(base)).toThrow(TypeError);
  });
});

/** Lets time pass, whenever something waits for it, until there is an outcome. */
async function running(outcome: Promise<ChatOutcome>, clock: FakeClock): Promise<ChatOutcome> {
  let over = false;
  const end = outcome.finally(() => {
    over = true;
  });
  while (!over) {
    await setImmediate();
    clock.advance(1);
  }
  return end;
}
