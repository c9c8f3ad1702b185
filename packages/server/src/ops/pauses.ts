// Lets other work run during a long computation.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Longest time in milliseconds without a pause. */
const SLICE_MS = 4;

/** Decides when a computation goes on after a slice. It rejects if nobody waits for the result any longer. */
export type NextTurn = () => Promise<void>;

/** All parts of one piece of work share its slices, however many functions they are spread over. */
interface Slices {
  readonly next: NextTurn;
  /** End of the current slice, by `performance.now()`. */
  until: number;
}

const current = new AsyncLocalStorage<Slices>();

/** Runs work whose pauses end when `next` resolves. */
export const inTurns = <T>(next: NextTurn, work: () => Promise<T>): Promise<T> =>
  current.run({ next, until: performance.now() + SLICE_MS }, work);

/** Runs work whose pauses reject once the signal is aborted. */
export const unlessAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  inTurns(async () => {
    await nextOfLoop();
    signal.throwIfAborted();
  }, work);

/** Returns a function to call often and await: it waits for the event loop, or for its next turn, if a slice is over. */
export function pauses(): () => Promise<void> | undefined {
  const slices = current.getStore() ?? { next: nextOfLoop, until: performance.now() + SLICE_MS };
  return () => {
    if (performance.now() < slices.until) return undefined;
    return slices.next().then(() => {
      slices.until = performance.now() + SLICE_MS;
    });
  };
}

const nextOfLoop: NextTurn = () => new Promise((resolve) => setImmediate(resolve));
