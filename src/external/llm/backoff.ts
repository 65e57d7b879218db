export interface RetryRules {
  /** Requests for one answer at most, the first included. */
  readonly attempts: number;
  /** The first wait is at most this long; each further one may be twice as long. */
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Milliseconds to wait after so many attempts: exponential with full jitter, uniform in [0, min(cap, base × 2^(n−1))).
 * `chance` is uniform in [0, 1).
 */
export function backoffMs(attempts: number, { baseMs, capMs }: RetryRules, chance: () => number): number {
  return chance() * Math.min(capMs, baseMs * 2 ** (attempts - 1));
}

/** Milliseconds that a Retry-After asks for, as seconds or as a date (RFC 9110 §10.2.3); null where it says nothing. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const value = text.trim();
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value) * 1_000;
  // A date has a weekday's name in front; Date.parse would take a bare number for a year.
  const at = /^[A-Za-z]{3,9},/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
