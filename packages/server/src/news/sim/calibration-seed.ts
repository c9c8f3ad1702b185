// When the calibration of a new store is filled with simulated history: the days are planned at the start and measured once
// somebody reads the calibration. Waits for a store that fails.
import { MINUTE_MS } from '@tickwire/engine';
import { StoreError } from '../../errors/store-error.ts';
import type { Log } from '../../ops/log.ts';
import { backOffMs } from '../../work/back-off.ts';
import { planSeed, type SeedCalibrationOptions, seedCalibration } from './seed-calibration.ts';

const PLAN_AGAIN_MS = 10_000;
/** Pauses before the next attempt to measure, while all fail. */
const FILL_AGAIN = { firstMs: 30_000, maxMs: 30 * MINUTE_MS };

export interface CalibrationSeedOptions extends Omit<SeedCalibrationOptions, 'market' | 'signal'> {
  readonly market: () => Promise<SeedCalibrationOptions['market']>;
  /** Fills it without being read: the readers of a cluster are at gateways. */
  readonly unread: boolean;
  readonly log: Log;
  readonly planAgainMs?: number;
}

export class CalibrationSeed {
  readonly #options: CalibrationSeedOptions;
  readonly #end = new AbortController();
  #planning: Promise<void> | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;
  #filling: Promise<void> | null = null;
  #isDone = false;
  /** Failed attempts since the last one that succeeded. */
  #failures = 0;
  #notBefore = 0;

  constructor(options: CalibrationSeedOptions) {
    this.#options = options;
  }

  start(): void {
    this.#planning = this.#plan();
  }

  /** The calibration is read. */
  readonly fill = (): void => {
    if (this.#isDone || this.#end.signal.aborted || this.#options.now() < this.#notBefore) return;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
    });
  };

  async stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#again);
    await this.#planning;
    await this.#filling;
  }

  async #plan(): Promise<void> {
    const { unread, planAgainMs = PLAN_AGAIN_MS } = this.#options;
    try {
      await planSeed(this.#options);
      this.#failures = 0;
      if (unread) this.fill();
    } catch (error) {
      this.#failed(error);
      if (!(error instanceof StoreError) || this.#end.signal.aborted) return;
      this.#again = setTimeout(() => this.start(), planAgainMs);
      this.#again.unref();
    }
  }

  async #fill(): Promise<void> {
    const { market, now, unread, log } = this.#options;
    const { signal } = this.#end;
    try {
      const moves = await seedCalibration({ ...this.#options, market: await market(), signal });
      this.#isDone = !signal.aborted;
      this.#failures = 0;
      if (moves > 0) log.info('filled the calibration of news from simulated history', { moves });
    } catch (error) {
      this.#failed(error);
      const pause = backOffMs(this.#failures, FILL_AGAIN);
      this.#notBefore = now() + pause;
      if (!unread || signal.aborted) return;
      this.#again = setTimeout(this.fill, pause);
      this.#again.unref();
    }
  }

  /** Logs the first failure of several in a row. */
  #failed(error: unknown): void {
    const { log } = this.#options;
    if (this.#end.signal.aborted || ++this.#failures > 1) return;
    if (error instanceof StoreError) log.warn('the calibration of news waits for the store', { error: error.message });
    else log.error('filling the calibration of news failed; it is tried again after pauses', { error });
  }
}
