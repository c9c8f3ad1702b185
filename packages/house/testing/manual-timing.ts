// A wall clock that only moves when a test advances it.
import type { Timing } from '@tickwire/client';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class ManualTiming implements Timing {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(
    now: number,
    readonly random: () => number = () => 0,
  ) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly setTimeout = (run: () => void, ms: number): unknown => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  /** When each timer is due, as milliseconds from now. */
  get due(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run();
    }
  }
}
