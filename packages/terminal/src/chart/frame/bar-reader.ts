// Chooses the bar whose figures are shown: the one under the pointer or chosen by keys, otherwise the newest. A bar chosen by keys
// is also announced to screen readers.
import { barAt } from '../bars/bar-marks.ts';
import type { ChartBars } from '../bars/chart-bars.ts';
import { inWords, type Reading } from './legend.ts';

export interface BarReaderOptions {
  readonly series: () => ChartBars | null;
  readonly read: (series: ChartBars, at: number) => Reading | null;
  /** Marks the bar chosen by keys; `null` removes the mark. */
  readonly mark: (at: number | null) => void;
  readonly announce: (words: string) => void;
  /** Another bar was chosen. */
  readonly onChange: () => void;
}

export class BarReader {
  readonly #options: BarReaderOptions;
  /** Start of the chosen bar; `null` for the newest. A time, because loading older bars changes every index. */
  #pointed: number | null = null;
  #byKeys = false;

  constructor(options: BarReaderOptions) {
    this.#options = options;
  }

  /** Called for another instrument or timeframe. */
  reset(): void {
    this.#pointed = null;
  }

  reading(series: ChartBars): Reading | null {
    return this.#options.read(series, this.#at(series));
  }

  /** Close of that bar; `null` without bars. */
  get close(): number | null {
    const series = this.#options.series();
    return series?.candles[this.#at(series)]?.close ?? null;
  }

  /** Chosen by the pointer; `null` if it is not above a bar. */
  point(at: number | null): void {
    this.#set(at === null ? null : (this.#options.series()?.candles[at]?.time ?? null));
  }

  /** If no bar is chosen, the first step back goes to the newest. */
  step(by: number): void {
    const series = this.#options.series();
    if (series) this.#pointByKeys(series, (this.#pointed === null ? series.candles.length : this.#at(series)) + by);
  }

  toFirst(): void {
    const series = this.#options.series();
    if (series) this.#pointByKeys(series, 0);
  }

  toLast(): void {
    const series = this.#options.series();
    if (series) this.#pointByKeys(series, series.candles.length - 1);
  }

  /** Gives up a bar chosen by keys. False if there is none; one chosen by the pointer stays. */
  leave(): boolean {
    if (!this.#byKeys) return false;
    this.#byKeys = false;
    this.#options.mark(null);
    this.#set(null);
    return true;
  }

  #at(series: ChartBars): number {
    if (this.#pointed === null) return series.candles.length - 1;
    return barAt(series.candles, this.#pointed, series.intervalMs);
  }

  #set(time: number | null): void {
    if (time === this.#pointed) return;
    this.#pointed = time;
    this.#options.onChange();
  }

  #pointByKeys(series: ChartBars, wanted: number): void {
    if (series.candles.length === 0) return;
    const at = Math.max(0, Math.min(series.candles.length - 1, wanted));
    this.#byKeys = true;
    this.#options.mark(at);
    this.#set(series.candles[at]!.time);
    const reading = this.#options.read(series, at);
    if (reading) this.#options.announce(inWords(reading));
  }
}
