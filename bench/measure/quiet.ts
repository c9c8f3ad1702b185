// Waits, before a round, for a moment in which nobody else uses the machine: bounded over the whole run, since on a machine
// that is never quiet the rounds must be taken all the same.
import { coreSeconds } from './process-usage.ts';

const LOOK_MS = 150;
const QUIET_SHARE = 0.1;

export class Quiet {
  readonly #cores: readonly number[];
  #budgetMs: number;
  /** How long was waited in all. */
  waitedMs = 0;

  constructor(cores: readonly number[], budgetMs: number) {
    this.#cores = cores;
    this.#budgetMs = budgetMs;
  }

  async wait(): Promise<void> {
    if (this.#cores.length === 0) return;
    while (this.#budgetMs > 0) {
      const started = performance.now();
      const before = this.#cores.map(coreSeconds);
      await Bun.sleep(LOOK_MS);
      const elapsed = performance.now() - started;
      this.#budgetMs -= elapsed;
      this.waitedMs += elapsed;
      const busiest = Math.max(...this.#cores.map((core, index) => coreSeconds(core) - before[index]!));
      if (busiest / (elapsed / 1000) < QUIET_SHARE) return;
    }
  }
}
