const SCHEME = /^rediss?(\+(sentinel|cluster))?:\/\//;
/** What a user or a password may not hold as it is, since it would end them. */
const RESERVED = /[/@?#[\]\s"<>\\^`{|}]/;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

const REDIS_URL_RULE =
  'expected redis://host:port, rediss:// for TLS, redis+sentinel://host:port,host:port/group or redis+cluster://host:port,host:port, each with user:password@ where needed';

/** What is wrong with the URL of a Redis that cannot be read, as words. It shows nothing of it, which may be a password. */
export function explainRedisUrl(url: unknown): string {
  if (typeof url !== 'string') return REDIS_URL_RULE;
  const isOurs = SCHEME.test(url);
  const rest = url.replace(/^\s*[^:/@\s]*:\/\//, '');
  const login = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  const reserved = RESERVED.exec(login)?.[0] ?? (/\s/.test(rest) ? ' ' : undefined);
  const faults = [
    ...(isOurs ? [] : ['it begins with none of these schemes']),
    ...(reserved === undefined
      ? []
      : [
          `it holds ${JSON.stringify(reserved)} where it may not: in the user and the password, percent-encode it as ${percentEncode(reserved)}`,
        ]),
    ...(BROKEN_ESCAPE.test(login)
      ? ['a % in the user or the password stands for itself: percent-encode it as %25']
      : []),
  ];
  const hint = 'user and password have to be percent-encoded';
  return `${REDIS_URL_RULE}; ${faults.length === 0 ? hint : faults.join('; ')}`;
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
