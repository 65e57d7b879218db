import { type Logger as PinoLogger, pino } from 'pino';
import type { Redaction } from './redaction.ts';

/** Causes of causes that are written. */
const MOST_CAUSES = 5;

/**
 * Structured JSON lines on standard output, one per event. Bodies and completions are never logged; nor is what `redaction`
 * takes for a secret, wherever in a line it stands.
 */
export function createLogger(level: string, redaction: Redaction): PinoLogger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => serializeError(error, MOST_CAUSES) },
    hooks: { streamWrite: redaction.clean },
  });
}

/** What an error says of itself. Not what clients hang on it: a Redis client adds the command, with the password in it. */
function serializeError(error: unknown, causes: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? 'an object that is no error' : error;
  const { name: type, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const inner = cause === undefined || causes === 0 ? {} : { cause: serializeError(cause, causes - 1) };
  return { type, message, stack, ...code, ...inner };
}
