import type { ServerConfig } from '../config/schema.ts';
import { parseTokens } from '../config/tokens-schema.ts';
import type { Clock } from '../domain/clock.ts';
import type { TokenHolders } from '../http/access.ts';
import type { Logger } from '../service/telemetry.ts';
import { FileTokens } from './file-tokens.ts';

/** The tokens that the configuration names, in whichever way. Throws when they cannot be had. */
export function openTokens(
  { tokensFile, tokens }: Pick<ServerConfig, 'tokensFile' | 'tokens'>,
  parts: { readonly clock: Clock; readonly logger: Logger },
): TokenHolders & { stop(): void } {
  if (tokensFile !== null) return new FileTokens(tokensFile, parts);
  const parsed = tokens === null ? null : parseTokens(tokens);
  if (parsed?.ok === false) throw new Error(parsed.problems.join(' '));
  const fixed = parsed?.tokens ?? null;
  return { current: () => fixed, stop: () => {} };
}
