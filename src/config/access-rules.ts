import type { z } from 'zod';
import type { serverConfigSchema } from './schema.ts';
import { parseTokens } from './tokens-schema.ts';

/** Addresses that nothing but this machine reaches. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|0:0:0:0:0:0:0:1)$/i;

/** What is wrong with who may use the server, each with the key that it is about. */
export function checkAccess(
  server: z.output<typeof serverConfigSchema>,
): readonly (readonly [key: string, message: string])[] {
  const { host, tokens, tokens_file: file, open_access: isOpen } = server;
  if (file !== undefined && tokens !== undefined) {
    return [['tokens', 'is set beside tokens_file: take one of them']];
  }
  const hasTokens = file !== undefined || tokens !== undefined;
  if (hasTokens && isOpen)
    return [['open_access', 'says that everybody may do everything, and there are tokens']];
  if (!hasTokens && !isOpen && !LOOPBACK.test(host)) {
    return [
      [
        'host',
        `other machines reach ${host}, and everybody who does could send rollouts and change cohorts: give it tokens (tokens_file, docs/security.md), or say --open-access if that is meant`,
      ],
    ];
  }
  const parsed = tokens === undefined ? null : parseTokens(tokens);
  return parsed === null || parsed.ok ? [] : parsed.problems.map((message) => ['tokens', message] as const);
}
