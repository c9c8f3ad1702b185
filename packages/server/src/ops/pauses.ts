// Lets other work run during a long computation.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work asks for a pause after this many milliseconds, and gets to ask about every one or two. */
const SLICE_MS = 2;

/** Decides when a computation goes on after a slice. It rejects if nobody waits for the result any longer. */
export type NextTurn = () => Promise<void>;

/** All parts of one piece of work share its slices, however many functions they are spread over. */
interface Slices {
  readonly next: NextTurn;
  /** End of the current slice, by `performance.now()`. */
  until: number;
  /** Milliseconds that were spent between slices. */
  waited: number;
}

const current = new AsyncLocalStorage<Slices>();

/** Runs work whose pauses end when `next` resolves. */
export const inTurns = <T>(next: NextTurn, work: () => Promise<T>): Promise<T> => current.run(slicesOf(next), work);

/** Runs work whose pauses reject once the signal is aborted. */
export const unlessAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  inTurns(async () => {
    await nextOfLoop();
    signal.throwIfAborted();
  }, work);

/** Returns a function to call often and await: it waits for the event loop, or for its next turn, if a slice is over. */
export function pauses(): () => Promise<void> | undefined {
  const slices = current.getStore() ?? slicesOf(nextOfLoop);
  return () => {
    const end = performance.now();
    if (end < slices.until) return undefined;
    return slices.next().then(() => {
      const now = performance.now();
      slices.waited += now - end;
      slices.until = now + SLICE_MS;
    });
  };
}

/** Returns a function that says how many milliseconds have passed, and how many of them the work waited for its turns. */
export function elapsedTime(): () => { readonly passed: number; readonly waited: number } {
  const slices = current.getStore();
  const start = performance.now();
  const before = slices?.waited ?? 0;
  return () => ({ passed: performance.now() - start, waited: (slices?.waited ?? 0) - before });
}

const slicesOf = (next: NextTurn): Slices => ({ next, until: performance.now() + SLICE_MS, waited: 0 });

const nextOfLoop: NextTurn = () => new Promise((resolve) => setImmediate(resolve));
