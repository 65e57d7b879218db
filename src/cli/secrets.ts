import type { Config } from '../config/schema.ts';
import { parseRedisUrl } from '../store/redis/target.ts';

/** Everything secret that a configuration holds, in the forms that libraries write it in. Tokens are not kept as they are. */
export function secretsOf({ redis, judge, code }: Config): readonly string[] {
  const found = [
    redis === null ? null : (parseRedisUrl(redis.url)?.password ?? null),
    ...(redis === null ? [] : loginsOf(redis.url)),
    redis?.tls.key ?? null,
    judge?.apiKey?.reveal() ?? null,
    ...(code.sandboxUrl === null ? [] : loginsOf(code.sandboxUrl)),
  ];
  return found.filter((secret) => secret !== null && secret !== '') as string[];
}

/** The password that stands in a URL, as it is there and as it is meant, and the header that a client makes of it. */
function loginsOf(url: string): readonly (string | null)[] {
  const login = /:\/\/([^/\s]*)@/.exec(url)?.[1];
  if (login === undefined) return [];
  const [user = '', ...rest] = login.split(':');
  const password = rest.join(':');
  const plain = decode(password);
  return [password, plain, Buffer.from(`${decode(user)}:${plain}`).toString('base64')];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
