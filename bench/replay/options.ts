import { parseArgs } from 'node:util';
import { EXTRACTION_MODES, type ExtractionMode } from '../../src/answers/modes.ts';
import type { Ring } from './expected.ts';
import type { LabelStyle, Protocol } from './messages.ts';

/** How a killed client comes back: as the same incarnation, or as a new one, as from a checkpoint. */
export type Restart = 'same' | 'new';

export interface ReplayOptions {
  readonly file: string;
  readonly protocol: Protocol;
  readonly seed: number;
  /** Running servers, which are replicas of each other; none: they are started. */
  readonly urls: readonly string[];
  readonly replicas: number;
  /** Replicas that are killed and come back. */
  readonly kills: number;
  readonly restartRedis: boolean;
  /** Redis that what is started uses; null: the embedded store, or for replicas a Redis of their own. */
  readonly redis: string | null;
  readonly ring: Ring;
  readonly mode: ExtractionMode;
  readonly labelStyle: LabelStyle;
  /** One agent after the other is killed and comes back so. */
  readonly restarts: readonly Restart[];
  readonly timeoutMs: number;
  readonly stallMs: number;
}

export const USAGE = `Usage: npm run replay -- FILE.jsonl [options]

Plays recorded rollouts against a server, one client process per agent, and checks every reward.

  --protocol native|openrlhf   what the clients speak (native)
  --seed N                     other orders, splits, repeats and victims (1)
  --url URL                    a running server, several times for replicas; without it one is started
  --redis URL                  the Redis of the server that is started (the embedded store)
  --replicas N                 replicas that are started, without --redis with a Redis of their own (1)
  --kill N                     so many times a replica is killed and comes back (0); needs --replicas
  --restart-redis              the replicas' own Redis is killed and comes back; needs --replicas
  --ring predecessor|successor who teaches whom (predecessor)
  --mode MODE                  how answers are read: ${EXTRACTION_MODES.join(', ')} (auto)
  --label json|gold            openrlhf: the prompt id in the label, or from the prompt's text (json)
  --restart same,new           clients to kill, by how they come back; none for no kill (same,new)
  --timeout SECONDS            for the whole run (300)
  --stall SECONDS              without a new reward (60)
`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readOptions(args: readonly string[]): ReplayOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      protocol: text,
      seed: text,
      url: { ...text, multiple: true },
      redis: text,
      replicas: text,
      kill: text,
      'restart-redis': { type: 'boolean' },
      ring: text,
      mode: text,
      label: text,
      restart: text,
      timeout: text,
      stall: text,
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error('Name one rollouts file.');
  const restarts = (values.restart ?? 'same,new').split(',').filter((word) => word !== 'none');
  const replicas = readNumber('replicas', values.replicas ?? '1');
  const kills = readNumber('kill', values.kill ?? '0');
  const restartRedis = values['restart-redis'] === true;
  if ((kills > 0 || restartRedis) && (replicas < 2 || values.url !== undefined)) {
    throw new Error('--kill and --restart-redis need --replicas of at least 2 that the tool starts itself.');
  }
  if (restartRedis && values.redis !== undefined) {
    throw new Error('--restart-redis kills a Redis of its own: leave --redis out.');
  }
  return {
    file,
    protocol: oneOf('protocol', values.protocol ?? 'native', ['native', 'openrlhf']),
    seed: readNumber('seed', values.seed ?? '1'),
    urls: (values.url ?? []).map((url) => url.replace(/\/+$/, '')),
    replicas,
    kills,
    restartRedis,
    redis: values.redis ?? null,
    ring: oneOf('ring', values.ring ?? 'predecessor', ['predecessor', 'successor']),
    mode: oneOf('mode', values.mode ?? 'auto', EXTRACTION_MODES),
    labelStyle: oneOf('label', values.label ?? 'json', ['json', 'gold']),
    restarts: restarts.map((word) => oneOf('restart', word, ['same', 'new'])),
    timeoutMs: readNumber('timeout', values.timeout ?? '300') * 1000,
    stallMs: readNumber('stall', values.stall ?? '60') * 1000,
  };
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw new Error(`--${flag} must be one of ${allowed.join(', ')}, not "${value}".`);
  return found;
}

function readNumber(flag: string, value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${flag} must be a number, not "${value}".`);
  return number;
}
