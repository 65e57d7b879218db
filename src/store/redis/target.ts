export interface Address {
  readonly host: string;
  readonly port: number;
}

/** As PEM; null: the CAs that Node knows, and no certificate of our own. */
export interface TlsTrust {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** Which Redis, and how to log in. */
export interface RedisTarget {
  readonly kind: 'standalone' | 'sentinel' | 'cluster';
  /** One server; or some of the sentinels, or of the nodes of a cluster, that tell of the others. */
  readonly addresses: readonly Address[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** What TLS goes by where it is not what Node goes by. */
  readonly trust?: TlsTrust;
  /** 0 on a cluster. */
  readonly database: number;
  /** Sentinel only: what the sentinels call the group of servers. */
  readonly group: string;
}

const GRAMMAR =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?$/;
const DEFAULT_PORTS = { standalone: 6379, sentinel: 26379, cluster: 6379 } as const;

/**
 * Reads `redis://[user[:password]@]host[:port][/database]`, `redis+sentinel://…host,host…/group[/database]` or
 * `redis+cluster://…host,host…`; `rediss` for TLS. User and password are percent-encoded. Null: it is none of them.
 */
export function parseRedisUrl(url: string): RedisTarget | null {
  const found = GRAMMAR.exec(url)?.groups;
  if (found === undefined) return null;
  const kind = (found.kind ?? 'standalone') as RedisTarget['kind'];
  const addresses = (found.hosts ?? '').split(',').map((text) => parseAddress(text, DEFAULT_PORTS[kind]));
  const known = addresses.filter((address) => address !== null);
  const login = parseLogin(found.login ?? '');
  const place = parsePath(kind, found.path ?? '');
  if (known.length < addresses.length || login === null || place === null) return null;
  if (kind === 'standalone' && known.length > 1) return null;
  return { kind, addresses: known, tls: found.tls === 's', ...login, ...place };
}

/** `host`, `host:port` or `[v6]:port`. */
function parseAddress(text: string, defaultPort: number): Address | null {
  const found = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/.exec(
    text,
  )?.groups;
  const host = found?.v6 ?? found?.host;
  const port = Number(found?.port ?? defaultPort);
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
}

function parseLogin(text: string): Pick<RedisTarget, 'username' | 'password'> | null {
  const [username = '', ...rest] = text.split(':');
  try {
    const password = decodeURIComponent(rest.join(':'));
    return { username: decodeURIComponent(username) || null, password: password || null };
  } catch {
    return null;
  }
}

function parsePath(kind: RedisTarget['kind'], path: string): Pick<RedisTarget, 'database' | 'group'> | null {
  // The end of a password with a slash in it that is not encoded.
  if (path.includes('@')) return null;
  const parts = path.split('/').filter(Boolean);
  const group = kind === 'sentinel' ? parts.shift() : '';
  const database = Number(parts.shift() ?? 0);
  if (group === undefined || parts.length > 0 || !Number.isInteger(database) || database < 0) return null;
  return kind === 'cluster' && database > 0 ? null : { group, database };
}

/** Where it is, for a log: nothing of who logs in. */
export function showTarget({ kind, tls, addresses, group, database }: RedisTarget): string {
  const scheme = `redis${tls ? 's' : ''}${kind === 'standalone' ? '' : `+${kind}`}`;
  const hosts = addresses.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const place = [...(group === '' ? [] : [group]), ...(database === 0 ? [] : [database])];
  return `${scheme}://${[hosts.join(','), ...place].join('/')}`;
}
