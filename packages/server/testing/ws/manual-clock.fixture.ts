// A clock that a test advances by hand: it replaces the timers, immediates and performance.now() of the process.
interface Timer {
  readonly at: number;
  readonly work: () => void;
}

export class ManualClock {
  now = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();
  #immediates: (() => void)[] = [];
  readonly #real = { setTimeout, clearTimeout, setImmediate, now: performance.now };

  install(): void {
    const setTimer = (work: () => void, ms = 0): Timer => {
      const created = { at: this.now + ms, work };
      this.#timers.add(created);
      return created;
    };
    Object.assign(globalThis, {
      setTimeout: setTimer,
      clearTimeout: (timer: Timer) => this.#timers.delete(timer),
      setImmediate: (work: () => void) => this.#immediates.push(work),
    });
    performance.now = () => this.now;
  }

  restore(): void {
    const { now, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    performance.now = now;
  }

  /** Number of timers and immediates that are set. */
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
