// Schedules DOM updates of all panels together, at most 16 times a second: nobody reads faster, and every change of any panel
// costs the browser a frame of the whole page. The first update after a pause runs immediately.

/** Minimum interval between two runs. */
export const FRAME_MS = 62;

export interface Visibility {
  readonly hidden: () => boolean;
  /** Calls back once, when the page may have become visible. */
  readonly onceVisible: (run: () => void) => void;
}

export class FrameScheduler {
  readonly #visibility: Visibility;
  #pending: (() => void)[] = [];
  /** By `performance.now()`. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #claimed = false;

  constructor(visibility: Visibility) {
    this.#visibility = visibility;
  }

  /** Runs a callback once, in the next run. Nothing runs while the page is hidden. */
  next(run: () => void): void {
    this.#pending.push(run);
    // A timer, not an animation frame: the chart draws changes in the next frame, which then shows all other updates, too.
    if (this.#pending.length === 1)
      setTimeout(() => this.#run(), Math.max(0, this.#lastAt + FRAME_MS - performance.now()));
  }

  /** True for the first large panel that asks in a run. The others ask again in the next one, so that no frame takes long. */
  claim(): boolean {
    const isFirst = !this.#claimed;
    this.#claimed = true;
    return isFirst;
  }

  #run(): void {
    if (this.#visibility.hidden()) {
      this.#visibility.onceVisible(() => this.#run());
      return;
    }
    this.#lastAt = performance.now();
    this.#claimed = false;
    const callbacks = this.#pending;
    this.#pending = [];
    for (const run of callbacks) {
      try {
        run();
      } catch (error) {
        // An error in one panel does not stop the others.
        reportError(error);
      }
    }
  }
}

export const frameScheduler = new FrameScheduler({
  hidden: () => document.hidden,
  onceVisible: (run) => document.addEventListener('visibilitychange', run, { once: true }),
});

/** A function that runs the task once in the next run, however often it is called before. */
export function coalesced(
  task: () => void,
  schedule: (run: () => void) => void = (run) => frameScheduler.next(run),
): () => void {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    schedule(() => {
      scheduled = false;
      task();
    });
  };
}
