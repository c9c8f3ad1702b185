// Periodic work. A run is skipped while the previous one is still in progress. Failures are logged, not thrown.
import type { Log } from './log.ts';

export class Timers {
  readonly #log: Log;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `immediately`: the first run is now, not after the first interval. */
  every(ms: number, name: string, work: () => unknown, { immediately = false } = {}): void {
    let running = false;
    let failing = false;
    const run = async (): Promise<void> => {
      running = true;
      try {
        await work();
        failing = false;
      } catch (error) {
        // Logged once until the next success, so that a full disk does not flood the log.
        if (!failing) this.#log.error(`${name} failed`, { error });
        failing = true;
      } finally {
        running = false;
      }
    };
    const start = (): void => {
      if (running) return;
      const done = run().finally(() => this.#running.delete(done));
      this.#running.add(done);
    };
    this.#timers.push(setInterval(start, ms));
    if (immediately) start();
  }

  /** Waits for runs in progress: what they use may be closed afterwards. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }
}
