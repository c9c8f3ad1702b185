// Periodic work. A run is skipped while the previous one is still in progress. Failures are logged, not thrown.
import type { Log } from './log.ts';

export class Timers {
  readonly #log: Log;
  readonly #timers: ReturnType<typeof setInterval>[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  every(ms: number, name: string, work: () => unknown): void {
    let running = false;
    let failing = false;
    const run = async (): Promise<void> => {
      if (running) return;
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
    this.#timers.push(setInterval(run, ms));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}
