// The clock, timers and random numbers that the client uses, in one interface so that tests can control them.

/**
 * Clock, timers and random numbers. Replace them in tests.
 * @example const client = new TickwireClient({ url: 'http://127.0.0.1:8080', timing: { now: () => 0, random: () => 0.5, setTimeout, clearTimeout: () => {} } });
 */
export interface Timing {
  /** A clock in milliseconds; only differences matter. */
  readonly now: () => number;
  /** A random number, uniform in [0, 1). */
  readonly random: () => number;
  /** Calls `run` once after `ms` milliseconds and returns a handle for `clearTimeout`. */
  readonly setTimeout: (run: () => void, ms: number) => unknown;
  /** Cancels a timer. */
  readonly clearTimeout: (timer: unknown) => void;
}

export const realTiming: Timing = {
  now: () => performance.now(),
  random: () => Math.random(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
