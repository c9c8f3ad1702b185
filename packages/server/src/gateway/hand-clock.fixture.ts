// Time that passes only when a test says so: timers, immediates and performance.now() of the process go by it.
interface Timer {
  readonly at: number;
  readonly work: () => void;
}

export class HandClock {
  now = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();
  #immediates: (() => void)[] = [];
  readonly #real = { setTimeout, clearTimeout, setImmediate, now: performance.now };

  install(): void {
    const timer = (work: () => void, ms = 0): Timer => {
      const made = { at: this.now + ms, work };
      this.#timers.add(made);
      return made;
    };
    Object.assign(globalThis, {
      setTimeout: timer,
      clearTimeout: (made: Timer) => this.#timers.delete(made),
      setImmediate: (work: () => void) => this.#immediates.push(work),
    });
    performance.now = () => this.now;
  }

  restore(): void {
    const { now, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    performance.now = now;
  }

  /** Timers and immediates that are set. */
  get waiting(): number {
    return this.#timers.size + this.#immediates.length;
  }

  /** One turn of the event loop. */
  async turn(): Promise<void> {
    const due = this.#immediates;
    this.#immediates = [];
    for (const work of due) work();
    for (let step = 0; step < 6; step++) await Promise.resolve();
  }

  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      await this.turn();
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.work();
    }
    this.now = until;
  }
}
