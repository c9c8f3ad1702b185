// The pace of REST requests to a venue. Requests in the background, for bars that nobody waits for, let all others pass and leave
// them the burst.
import type { Sleep } from '../../../work/back-off.ts';

export interface Throttle {
  /** Resolves when a request of this weight may be sent, in the order of the calls. */
  take(weight?: number, isBackground?: boolean): Promise<void>;
  /** No request starts before this many milliseconds have passed. */
  pause(ms: number): void;
  /** Whether a request waits for its turn. */
  readonly isBusy: boolean;
}

interface Waiting {
  readonly weight: number;
  readonly go: () => void;
}

/** Spaces out calls by `intervalMs` per weight. After a rest, calls worth `burstMs` need not wait. */
export function createThrottle(intervalMs: number, burstMs = 0, sleep: Sleep = Bun.sleep): Throttle {
  const first: Waiting[] = [];
  const background: Waiting[] = [];
  /** When the next request may be sent, but for the burst. */
  let next = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  /** Ends the wait of a request in the background. */
  let wake: () => void = () => undefined;

  const run = async (): Promise<void> => {
    let now = performance.now();
    while (first.length + background.length > 0) {
      now = Math.max(now, performance.now());
      const lane = first.length > 0 ? first : background;
      const readyAt = next + (lane === background ? burstMs : 0);
      if (readyAt > now) {
        const slept = sleep(readyAt - now).then(() => readyAt);
        const woken = Promise.withResolvers<number>();
        wake = lane === background ? () => woken.resolve(performance.now()) : () => undefined;
        now = await Promise.race([slept, woken.promise]);
        continue;
      }
      const { weight, go } = lane.shift()!;
      next = Math.max(now - burstMs, next) + intervalMs * weight;
      go();
    }
    isRunning = false;
  };

  return {
    take(weight = 1, isBackground = false) {
      const turn = Promise.withResolvers<void>();
      (isBackground ? background : first).push({ weight, go: turn.resolve });
      if (!isBackground) wake();
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      return turn.promise;
    },
    pause(ms) {
      next = Math.max(next, performance.now() + ms);
    },
    get isBusy() {
      return first.length + background.length > 0;
    },
  };
}
