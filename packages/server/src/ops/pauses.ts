// Lets other work run during a long computation.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work asks for a pause after this many milliseconds, and gets to ask about every one or two. */
const SLICE_MS = 2;

/** Decides when a computation goes on after a slice. It rejects if nobody waits for the result any longer. */
export type NextTurn = () => Promise<void>;

/** Milliseconds of the clock, and of the processor as far as this thread has used it. */
export interface WorkClock {
  readonly now: () => number;
  readonly computed: () => number;
}

/** All parts of one piece of work share its slices, however many functions they are spread over. */
interface Slices {
  readonly next: NextTurn;
  readonly clock: WorkClock;
  /** End of the current slice, by the clock. */
  until: number;
  /** What the thread had computed when the current slice began. */
  computedBefore: number;
  /** Milliseconds that were computed in earlier slices. */
  computed: number;
  /** Milliseconds that were spent between slices. */
  waited: number;
}

const THREAD_CLOCK: WorkClock = {
  now: () => performance.now(),
  computed() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

const current = new AsyncLocalStorage<Slices>();

/** Runs work whose pauses end when `next` resolves. */
export const inTurns = <T>(next: NextTurn, work: () => Promise<T>, clock = THREAD_CLOCK): Promise<T> =>
  current.run(slicesOf(next, clock), work);

/** Runs work whose pauses reject once the signal is aborted. */
export const unlessAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  inTurns(async () => {
    await nextOfLoop();
    signal.throwIfAborted();
  }, work);

/** Returns a function to call often and await: it waits for the event loop, or for its next turn, if a slice is over. */
export function pauses(): () => Promise<void> | undefined {
  const slices = current.getStore() ?? slicesOf(nextOfLoop);
  const { clock } = slices;
  return () => {
    const end = clock.now();
    if (end < slices.until) return undefined;
    slices.computed = computedBy(slices);
    slices.computedBefore = clock.computed();
    return slices.next().then(() => {
      const now = clock.now();
      slices.waited += now - end;
      slices.until = now + SLICE_MS;
      slices.computedBefore = clock.computed();
    });
  };
}

/** Milliseconds of a piece of work. */
export interface WorkTimes {
  readonly passed: number;
  /** Between its slices, for its turns. */
  readonly waited: number;
  /** By the processor, in its slices: what other programs took meanwhile does not count. */
  readonly computed: number;
}

/** Returns a function that measures the work from now on. */
export function measureWork(): () => WorkTimes {
  const slices = current.getStore() ?? slicesOf(nextOfLoop);
  const start = slices.clock.now();
  const waited = slices.waited;
  const computed = computedBy(slices);
  return () => ({
    passed: slices.clock.now() - start,
    waited: slices.waited - waited,
    computed: computedBy(slices) - computed,
  });
}

const computedBy = ({ clock, computed, computedBefore }: Slices): number =>
  computed + clock.computed() - computedBefore;

const slicesOf = (next: NextTurn, clock = THREAD_CLOCK): Slices => ({
  next,
  clock,
  until: clock.now() + SLICE_MS,
  computedBefore: clock.computed(),
  computed: 0,
  waited: 0,
});

const nextOfLoop: NextTurn = () => new Promise((resolve) => setImmediate(resolve));
