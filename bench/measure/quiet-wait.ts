// Waits before a round until no other program uses the machine. The total wait is bounded, because some machines are never quiet.
import { coreSeconds } from './process-usage.ts';

const LOOK_MS = 150;
const QUIET_SHARE = 0.1;

export class QuietWait {
  readonly #cores: readonly number[];
  #budgetMs: number;
  /** Total time waited. */
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
