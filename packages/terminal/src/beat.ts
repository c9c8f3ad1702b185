// The beat of the page. What moves with the market is written by all panels on the same beat, a few times a second at most:
// faster than that nobody reads, and each change of any panel costs the browser a frame of the whole page. A quiet market is
// not held up: the first change after a pause is written at once.

/** Sixteen times a second. */
export const BEAT_MS = 62;

export interface Sight {
  readonly hidden: () => boolean;
  /** Calls back once, when the page may have come into sight. */
  readonly onceShown: (run: () => void) => void;
}

export class Beat {
  readonly #sight: Sight;
  #waiting: (() => void)[] = [];
  /** Milliseconds as of `performance.now()`. */
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** Runs it once, on the next beat. Nothing beats while the page is hidden. */
  next(run: () => void): void {
    this.#waiting.push(run);
    // A timer, not an animation frame: a chart that is told of a change draws it in the frame that follows, and so it is the
    // same frame that shows all the rest.
    if (this.#waiting.length === 1)
      setTimeout(() => this.#strike(), Math.max(0, this.#lastAt + BEAT_MS - performance.now()));
  }

  #strike(): void {
    if (this.#sight.hidden()) {
      this.#sight.onceShown(() => this.#strike());
      return;
    }
    this.#lastAt = performance.now();
    const due = this.#waiting;
    this.#waiting = [];
    for (const run of due) {
      try {
        run();
      } catch (error) {
        // A panel that fails does not stop the others.
        reportError(error);
      }
    }
  }
}

/** The page has one. */
export const beat = new Beat({
  hidden: () => document.hidden,
  onceShown: (run) => document.addEventListener('visibilitychange', run, { once: true }),
});
