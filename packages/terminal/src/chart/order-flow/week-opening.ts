// Cumulative delta of the week at the first bar of the chart: the week has rarely begun there. The hours before are loaded.

import type { CoreClient } from '@tickwire/client';
import { HOUR_MS } from '@tickwire/contract/durations.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { deltaOf, periodStart } from './cumulative-delta.ts';

/** More than a week has, even if a day of 25 hours is in it. */
const HOURS = 200;

export interface WeekOpeningOptions {
  readonly client: Pick<CoreClient, 'bars'>;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}

export class WeekOpening {
  readonly #options: WeekOpeningOptions;
  #key = '';
  #value: number | null = null;

  constructor(options: WeekOpeningOptions) {
    this.#options = options;
  }

  /** `null` while it is being loaded, or if it cannot be known. */
  of(symbol: string, candles: readonly ChartCandle[], wholeHistory: boolean): number | null {
    const [first] = candles;
    if (!first) return null;
    const week = periodStart('week', first.time);
    if (first.time === week || wholeHistory) return 0;
    const key = `${symbol} ${first.time}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#value = null;
      void this.#load(symbol, candles, week, key);
    }
    return this.#value;
  }

  async #load(symbol: string, candles: readonly ChartCandle[], week: number, key: string): Promise<void> {
    const { client, signal, onChange } = this.#options;
    // Hours can only be added up to a bar that begins with one.
    const at = candles.findIndex(({ time }) => time % HOUR_MS === 0);
    const hour = candles[at];
    if (!hour || periodStart('week', hour.time) !== week) return;
    const early = candles.slice(0, at).reduce((sum, candle) => sum + deltaOf(candle), 0);
    const range = { interval: '1h', from: week, to: hour.time, limit: HOURS, fields: ['delta'] } as const;
    try {
      const { items } = await client.bars(symbol, range, { signal });
      if (key !== this.#key) return;
      this.#value = items.reduce((sum, { delta }) => sum + (delta ?? 0), 0) - early;
      onChange();
    } catch {
      // The first week then has no sum; the next ones do.
    }
  }
}
