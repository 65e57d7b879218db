import type { Random } from '../support/random.ts';
import type { Json } from './templates.ts';

/** Stands where text that no JSON value writes goes in. */
const MARK = '@hostile@';

/** As JSON text: nests, numbers and keys that programs trip over. */
const TEXTS: readonly ((random: Random) => string)[] = [
  (random) => nest(random.between(2, 3) * 10_000),
  (random) => nest(random.between(2, 64)),
  () => 'NaN',
  () => '-Infinity',
  () => '1e999',
  () => '-0',
  () => '1.7e308',
  () => '5e-324',
  () => '9007199254740993',
  (random) => '9'.repeat(random.between(1, 5_000)),
  () => '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
  () => '{"toJSON":1,"toString":null,"then":"x","length":1e9}',
  () => '"\\ud800\\udc00\\ud800"',
  () => '"\\u0000\\u001b[2J\\r\\nset-cookie: a=b"',
  () => '"<script>alert(1)</script>"',
  () => '"../../../etc/passwd"',
  () => '"{{7*7}}%s%n"',
  (random) => `"${'x'.repeat(random.between(1, 300_000))}"`,
  (random) => `"${'\\\\boxed{'.repeat(random.between(1, 20_000))}"`,
  (random) => `"${'('.repeat(random.between(1, 50_000))}"`,
  (random) => `"${'9^'.repeat(random.between(1, 5_000))}9"`,
  (random) => `"${'```python\\n'.repeat(random.between(1, 5_000))}"`,
  () => '"```python\\ndef f(x):\\n    return \\"x\\" * 10**9\\n```"',
  () => '"```python\\nimport os\\ndef f(x):\\n    os._exit(0)\\n```"',
  () => 'null',
  () => 'true',
  () => '""',
  () => '[]',
  () => '{}',
];

const UNITS = ['0', '""', '{}', '[]', 'null', '{"rollouts":[0]}', '{"prompt_id":"p"}', '{"answer":"4"}'];
const MOST_UNITS = 200_000;

/** The body with some of its places replaced, dropped, repeated or blown up; as text, which may be none of JSON's. */
export function hostileJson(random: Random, body: Json): string {
  let text = JSON.stringify(body);
  for (let times = random.between(1, 3); times > 0; times -= 1) {
    const parsed = parse(text);
    // What stands there is no JSON any more, or too deep to be walked.
    if (parsed === null) return text;
    const marked = JSON.stringify(replaceOne(random, parsed));
    text = marked.replace(JSON.stringify(MARK), () => hostileText(random));
  }
  return random.chance(0.1) ? garble(random, text) : text;
}

function hostileText(random: Random): string {
  if (random.chance(0.15)) {
    const unit = random.pick(UNITS);
    return `[${`${unit},`.repeat(random.between(0, MOST_UNITS))}${unit}]`;
  }
  if (random.chance(0.05)) {
    const keys = Array.from({ length: random.between(1, 50_000) }, (_, at) => `"k${at}":0`);
    return `{${keys.join()}}`;
  }
  return random.pick(TEXTS)(random);
}

function parse(text: string): Json {
  if (text.length > 1_000_000 || text.includes(nest(500))) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Replaces one place by the mark, drops it, or writes it twice. */
function replaceOne(random: Random, body: Json): Json {
  const places: (readonly [parent: Record<string, Json> | Json[], key: string])[] = [];
  const waiting: Json[] = [body];
  for (let node = waiting.pop(); node !== undefined && places.length < 2_000; node = waiting.pop()) {
    if (node === null || typeof node !== 'object') continue;
    for (const [key, child] of Object.entries(node)) {
      places.push([node, key]);
      waiting.push(child);
    }
  }
  if (places.length === 0 || random.chance(0.02)) return MARK;
  const [parent, key] = random.pick(places);
  if (Array.isArray(parent)) {
    const at = Number(key);
    const way = random.between(0, 9);
    if (way < 2) parent.splice(at, 1);
    else if (way < 4) parent.splice(at, 0, parent[at] ?? null);
    else parent[at] = MARK;
  } else if (random.chance(0.2)) delete parent[key];
  else if (random.chance(0.1)) parent[`${key}x`] = MARK;
  else parent[key] = MARK;
  return body;
}

/** Cuts it, or puts something in. */
function garble(random: Random, text: string): string {
  const at = random.between(0, text.length);
  if (random.chance(0.5)) return text.slice(0, at);
  return (
    text.slice(0, at) +
    random.pick(['\u0000', '\ufeff', '{', ']', '"', ',', '\\', '\ud83d', '//']) +
    text.slice(at)
  );
}

function nest(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
