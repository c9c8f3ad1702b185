// Which bar's figures are shown: the one that the pointer or the keys point at, else the newest. Keys say it aloud, too.
import { barAt } from './bar-marks.ts';
import type { BarSeries } from './bar-series.ts';
import { inWords, type Reading } from './legend.ts';

export interface BarReaderOptions {
  readonly series: () => BarSeries | null;
  readonly read: (series: BarSeries, at: number) => Reading | null;
  /** Shows on the drawing what the keys point at; null for nothing. */
  readonly mark: (at: number | null) => void;
  readonly speak: (words: string) => void;
  /** Another bar is pointed at. */
  readonly onChange: () => void;
}

export class BarReader {
  readonly #options: BarReaderOptions;
  /** Start of the bar that is pointed at; null for the newest. A time, since older bars in front move every index. */
  #pointed: number | null = null;
  #byKeys = false;

  constructor(options: BarReaderOptions) {
    this.#options = options;
  }

  /** Another instrument: what was pointed at is gone. */
  forget(): void {
    this.#pointed = null;
  }

  reading(series: BarSeries): Reading | null {
    return this.#options.read(series, this.#at(series));
  }

  /** By the pointer; null where it is beside the bars. */
  point(at: number | null): void {
    this.#set(at === null ? null : (this.#options.series()?.candles[at]?.time ?? null));
  }

  /** Without a bar that is pointed at, the first step back is to the newest. */
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

  /** What the pointer points at stays: then it is false. */
  leave(): boolean {
    if (!this.#byKeys) return false;
    this.#byKeys = false;
    this.#options.mark(null);
    this.#set(null);
    return true;
  }

  #at(series: BarSeries): number {
    if (this.#pointed === null) return series.candles.length - 1;
    return barAt(series.candles, this.#pointed, series.intervalMs);
  }

  #set(time: number | null): void {
    if (time === this.#pointed) return;
    this.#pointed = time;
    this.#options.onChange();
  }

  #pointByKeys(series: BarSeries, wanted: number): void {
    if (series.candles.length === 0) return;
    const at = Math.max(0, Math.min(series.candles.length - 1, wanted));
    this.#byKeys = true;
    this.#options.mark(at);
    this.#set(series.candles[at]!.time);
    const reading = this.#options.read(series, at);
    if (reading) this.#options.speak(inWords(reading));
  }
}
