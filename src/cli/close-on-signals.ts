import closeWithGrace from 'close-with-grace';

/**
 * Signals by which the machine tells of a fault. A listener of ours would displace the handler with which V8 turns a memory
 * access out of bounds of WebAssembly into an exception, and the faulting instruction would be tried again for ever.
 */
const FAULT_SIGNALS = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGABRT'] as const;

/** Calls `close` once, at the first signal to end or the first error that nobody caught, then ends the process. */
export function closeOnSignals(
  delayMs: number,
  close: (reason: {
    readonly signal?: string | undefined;
    readonly err?: Error | undefined;
  }) => Promise<void>,
): void {
  closeWithGrace({ delay: delayMs, skip: [...FAULT_SIGNALS] }, close);
}
