import { type Logger as PinoLogger, pino } from 'pino';

/** Structured JSON lines on standard output, one per event. Bodies and completions are never logged. */
export function createLogger(level: string): PinoLogger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
