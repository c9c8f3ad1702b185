/** Milliseconds since the epoch that never run backwards while the process lives, whatever is done to the system clock. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();
