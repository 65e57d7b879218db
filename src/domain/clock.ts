/** Time as the code sees it; tests give one that stands still until told. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs`, unless the returned function is called first. */
  setTimer(delayMs: number, callback: () => void): () => void;
}
