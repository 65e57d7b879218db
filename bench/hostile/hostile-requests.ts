import type { Random } from '../support/random.ts';
import { hostileJson } from './hostile-json.ts';
import { type Template, templatesFor } from './templates.ts';

/** What one hostile client writes on its connection. */
export interface HostileRequest {
  /** For a report: what was done. */
  readonly what: string;
  /** Written one after the other. */
  readonly parts: readonly Buffer[];
  /** It breaks the connection instead of reading the answer. */
  readonly goesAway: boolean;
}

type Way = (random: Random, template: Template) => Omit<HostileRequest, 'what'>;

const HOST = 'host: 127.0.0.1';
const METHODS = 'GET POST PUT DELETE HEAD OPTIONS TRACE PATCH QUERY PROPFIND MKCOL LOCK get FOO'.split(' ');

/** Heads that do not fit, and lines that a parser of HTTP trips over. */
const HEADERS: readonly string[] = [
  'content-type: text/plain',
  'content-type: application/json; charset=utf-16',
  'content-type: multipart/form-data; boundary=x',
  'content-type: ',
  'content-encoding: gzip',
  'expect: 100-continue',
  'expect: 200-ok',
  'transfer-encoding: chunked',
  'transfer-encoding: gzip, chunked',
  'content-length: 0',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'content-length: 1, 2',
  'host: evil.example',
  'host: a, b',
  'host:',
  'authorization: Bearer \u00e9\u0001',
  'authorization: Basic eDp5',
  'origin: https://evil.example',
  'sec-fetch-site: cross-site',
  'upgrade: websocket',
  'connection: upgrade',
  'connection: close, keep-alive',
  'prefer: wait=1e9',
  'range: bytes=0-1,2-3,-5',
  'accept: text/event-stream',
  'last-event-id: 1e999',
  'if-none-match: *',
  'x-forwarded-for: 1.2.3.4, ::1',
  'cookie: __proto__=1',
  ' folded: line',
  'no colon',
  ': no name',
  'x\u0000y: z',
];

const PATHS: readonly string[] = [
  '/%00',
  '/%',
  '/%ff%fe',
  '/..%2f..%2fetc/passwd',
  '//evil.example/',
  'http://evil.example/v1/cohorts',
  '*',
  '/v1/cohorts/__proto__',
  '/v1/cohorts/constructor/diagnostics',
  '/v1/cohorts/fuzz/agents/%e0%80%80/rollouts',
  '/v1/cohorts/fuzz/agents/toString/finish',
  '/v1/cohorts?limit=1e999&limit=2&[]=3',
  '/v1/cohorts/fuzz/buckets?cursor=%00&limit=-1',
  '/v1/cohorts/fuzz/recent?limit=99999999999',
  '/v1/cohorts/fuzz/events?wait=NaN',
  '/v1/cohorts/fuzz/agents/a/submissions/s?wait=-1',
  '/openapi.json#x',
  '/docs/../../package.json',
];

const GARBAGE: readonly (string | Buffer)[] = [
  Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
  'GET /\r\n\r\n',
  '\r\n\r\n\r\n',
  'EHLO x\r\n',
  '*1\r\n$4\r\nPING\r\n',
];

const WAYS: Readonly<Record<string, Way>> = {
  'a hostile body': (random, template) =>
    whole(write(template.method, template.path, bodyOf(random, template))),
  'the wrong method or path': (random, template) => {
    const path = random.chance(0.5) ? random.pick(PATHS) : template.path;
    return whole(write(random.pick(METHODS), path, bodyOf(random, template)));
  },
  'a long path': (random, { method }) =>
    whole(write(method, `/v1/cohorts/${'x'.repeat(random.between(1, 20_000))}`, null)),
  'odd headers': (random, template) => {
    const headers = Array.from({ length: random.between(1, 4) }, () => random.pick(HEADERS));
    return whole(write(template.method, template.path, bodyOf(random, template), headers));
  },
  'many headers': (random, { method, path }) =>
    whole(
      write(
        method,
        path,
        null,
        Array.from({ length: random.between(1, 3_000) }, (_, at) => `x-${at}: y`),
      ),
    ),
  'broken chunks': (random, { method, path, body }) => {
    const text = JSON.stringify(body);
    const sizes = ['5', 'ffffffffffffffff', '-1', 'zz', '0', text.length.toString(16)];
    const chunk = `${random.pick(sizes)}${random.chance(0.3) ? ';x=y' : ''}\r\n${text}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\n${HOST}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    return whole(
      head + chunk.repeat(random.between(1, 3)) + random.pick(['', '0\r\n\r\n', '0\r\nx: y\r\n\r\n']),
    );
  },
  'a body that is shorter or longer than said': (random, { method, path, body }) => {
    const text = JSON.stringify(body);
    const said = `content-length: ${Math.max(0, text.length + random.between(-20, 20))}`;
    return whole(
      `${method} ${path} HTTP/1.1\r\n${HOST}\r\ncontent-type: application/json\r\n${said}\r\n\r\n${text}`,
    );
  },
  'many requests at once': (random, template) =>
    whole(write(template.method, template.path, JSON.stringify(template.body)).repeat(random.between(2, 60))),
  'a client that leaves': (random, template) => {
    const bytes = Buffer.from(write(template.method, template.path, bodyOf(random, template)));
    return { parts: [bytes.subarray(0, random.between(1, bytes.length))], goesAway: true };
  },
  'byte by byte': (random, template) => {
    const bytes = Buffer.from(write(template.method, template.path, JSON.stringify(template.body)));
    const cut = Math.min(bytes.length, random.between(1, 60));
    const first = Array.from({ length: cut }, (_, at) => bytes.subarray(at, at + 1));
    return { parts: [...first, bytes.subarray(cut)], goesAway: false };
  },
  garbage: (random) => {
    const bytes = Buffer.from(Array.from({ length: random.between(1, 3_000) }, () => random.between(0, 255)));
    return { parts: [random.chance(0.5) ? bytes : Buffer.from(random.pick(GARBAGE))], goesAway: false };
  },
  'flipped bytes': (random, template) => {
    const bytes = Buffer.from(write(template.method, template.path, JSON.stringify(template.body)));
    for (let times = random.between(1, 8); times > 0; times -= 1) {
      bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
    }
    return { parts: [bytes], goesAway: false };
  },
};

/** Half of all are bodies: those reach furthest. */
const BODIES = 'a hostile body';

/** One request of a hostile client to this cohort. The same draws give the same request. */
export function hostileRequest(random: Random, cohort: string): HostileRequest {
  const template = random.pick(templatesFor(cohort, `p${random.between(0, 40)}`));
  const name = random.chance(0.5) ? BODIES : random.pick(Object.keys(WAYS));
  const way = WAYS[name] ?? (() => whole(''));
  return { what: `${name}: ${template.method} ${template.path}`, ...way(random, template) };
}

function whole(text: string): Omit<HostileRequest, 'what'> {
  return { parts: [Buffer.from(text)], goesAway: false };
}

function bodyOf(random: Random, { body }: Template): string | null {
  if (body === null) return random.chance(0.3) ? hostileJson(random, { x: 1 }) : null;
  return hostileJson(random, body);
}

function write(method: string, path: string, body: string | null, more: readonly string[] = []): string {
  const own =
    body === null ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  return `${[`${method} ${path} HTTP/1.1`, HOST, ...own, ...more].join('\r\n')}\r\n\r\n${body ?? ''}`;
}
