/** Time and chance. Tests pass their own, so that nothing waits. */

export interface Runtime {
  /** Milliseconds, of any beginning. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Resolves after the wait, or rejects with the signal's reason. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Aborts after the wait. */
  timeout(milliseconds: number): AbortSignal;
}

/** What a timer can hold: no fraction, nothing below zero, 24 days at most. */
const LONGEST_MS = 2 ** 31 - 1;

export const RUNTIME: Runtime = {
  now: () => performance.now(),
  random: () => Math.random(),
  timeout: (milliseconds) => AbortSignal.timeout(Math.min(LONGEST_MS, Math.max(0, Math.ceil(milliseconds)))),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};
