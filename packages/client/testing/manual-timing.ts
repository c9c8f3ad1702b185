// Timers that fire only when a test moves the clock, and a fixed random number.
import type { Timing } from '../src/common/timing.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class ManualTiming implements Timing {
  #now = 0;
  readonly #timers = new Set<Timer>();

  constructor(readonly random: () => number = () => 0.5) {}

  readonly now = (): number => this.#now;

  readonly setTimeout = (run: () => void, ms: number): unknown => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run();
    }
  }
}
