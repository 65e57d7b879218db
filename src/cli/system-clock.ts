import type { Clock } from '../domain/clock.ts';

/** The machine's time, measured from the start of the process so that setting the clock expires nothing. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimer: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
