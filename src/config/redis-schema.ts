import { z } from 'zod';
import { duration, strictObject, withDefault } from './fields.ts';
import type { RedisTls } from './redis-tls.ts';
import { explainRedisUrl } from './redis-url.ts';

const PATH_RULE = 'expected the path of a file';
const PREFIX_RULE = 'expected at most 64 characters without spaces and braces';

function path(description: string) {
  return z.string({ error: PATH_RULE }).min(1, { error: PATH_RULE }).optional().meta({ description });
}

/** The section `redis`, as written. */
export const redisConfigSchema = strictObject({
  url: z
    .string({ error: explainRedisUrl('') })
    .regex(/^rediss?(\+(sentinel|cluster))?:\/\/\S+$/, { error: ({ input }) => explainRedisUrl(input) })
    .optional()
    .meta({
      description:
        'The Redis (7.0 or later) that replicas share: `redis://[user:password@]host:port[/database]`, `rediss://` for TLS, `redis+sentinel://host:port,host:port/group` or `redis+cluster://host:port,host:port`. Without it the store is the memory of this one process.',
    }),
  prefix: withDefault(
    z.string({ error: PREFIX_RULE }).regex(/^[^{}\s]{0,64}$/, { error: PREFIX_RULE }),
    'peervote:',
    'Starts the name of every key and channel. Servers with the same Redis and prefix are replicas of each other.',
  ),
  recheck_ms: duration(
    100,
    60_000,
    1_500,
    'How often in milliseconds a held request looks again by itself. That is what the loss of a message costs at most.',
  ),
  tls_ca_file: path(
    'File of the CA certificates (PEM) that the certificate of a `rediss://` server has to come from. Without it those that Node knows, which hosted services usually have theirs from.',
  ),
  tls_cert_file: path(
    'File of the certificate (PEM) that this server shows to Redis, where `tls-auth-clients` asks for one. Needs `tls_key_file`.',
  ),
  tls_key_file: path('File of the private key (PEM, not encrypted) of `tls_cert_file`.'),
});

export interface RedisConfig {
  /** As written; it may hold a password. */
  readonly url: string;
  readonly prefix: string;
  /** How often a held request looks again by itself. */
  readonly recheckMs: number;
  readonly tls: RedisTls;
}

/** Null without a URL: then there is no Redis. `tls`: what the files that it names hold. */
export function toRedisConfig(config: z.output<typeof redisConfigSchema>, tls: RedisTls): RedisConfig | null {
  const { url, prefix, recheck_ms } = config;
  return url === undefined ? null : { url, prefix, recheckMs: recheck_ms, tls };
}
