// Repeated work. A run that is still going when its time comes again is left alone, and a failure is logged, not thrown.
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
        // Once per bout of trouble: a full disk must not fill the log too.
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
