// Lets other work run during a long computation.

/** Longest time in milliseconds without a pause. */
const BURST_MS = 8;

/** Returns a function to call often and await: it waits for the event loop if the last time was too long ago. */
export function pauses(): () => Promise<void> | undefined {
  let until = performance.now() + BURST_MS;
  return () => {
    if (performance.now() < until) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        until = performance.now() + BURST_MS;
        resolve();
      }),
    );
  };
}
