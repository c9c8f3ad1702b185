// Decides when days of the tape are sealed: at the start of the service, as soon as a day may be sealed, and every hour, for
// days of signals that closed later and after a failure.
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { LATE_MS, type SealOptions, sealTapeDays } from './seal-tape.ts';

const RETRY_MS = HOUR_MS;

export type TapeSealerOptions = Omit<SealOptions, 'now' | 'missingDays' | 'isStopped'>;

export class TapeSealer {
  readonly #options: TapeSealerOptions;
  readonly #missingDays = new Set<string>();
  /** When days were sealed last, or tried to be, in epoch milliseconds. */
  #lastAt: number | null = null;
  #running: Promise<number> | null = null;
  #stopped = false;

  constructor(options: TapeSealerOptions) {
    this.#options = options;
  }

  /** Seals days if it is time to. Call it every second. Returns the number of sealed days. */
  async run(now: number): Promise<number> {
    if (this.#stopped || this.#running || !this.#isDue(now)) return 0;
    this.#lastAt = now;
    const isStopped = (): boolean => this.#stopped;
    this.#running = sealTapeDays({ ...this.#options, now, missingDays: this.#missingDays, isStopped });
    try {
      return await this.#running;
    } finally {
      this.#running = null;
    }
  }

  /** Ends after the day in progress. The next start seals the others. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {});
  }

  #isDue(now: number): boolean {
    if (this.#lastAt === null || now - this.#lastAt >= RETRY_MS) return true;
    return lastSealableDay(now) > lastSealableDay(this.#lastAt);
  }
}

/** Number of the last day that may be sealed, from 1970 on. */
const lastSealableDay = (now: number): number => Math.ceil((now - LATE_MS) / DAY_MS) - 2;
