// The bars around a signal. Those of less than a minute are made of quotes; if these are not available, minutes are shown. While the
// signal is active, later loads extend what is known.
import type { CoreClient, Interval, OhlcvBar } from '@tickwire/client';
import { ChartBars } from '../chart/bars/chart-bars.ts';
import { intervalMsOf } from '../chart/bars/intervals.ts';
import { type ChartWindow, chartWindow, isStored, type SignalTimes } from './chart-window.ts';
import { barsOf, QuoteHistory } from './quote-bars.ts';

export interface LoadedRange {
  readonly series: ChartBars;
  readonly window: ChartWindow;
}

const MOST_BARS = 500;
/** While a signal is active its window grows to both sides, so quotes of all its short bars are loaded at once. */
const QUOTES_BEFORE_MS = 600_000;

export class SignalBars {
  readonly #client: Pick<CoreClient, 'bars' | 'ticks'>;
  readonly #symbol: string;
  readonly #times: SignalTimes;
  readonly #quotes: QuoteHistory;
  #series: ChartBars | null = null;

  constructor(client: Pick<CoreClient, 'bars' | 'ticks'>, symbol: string, times: SignalTimes) {
    this.#client = client;
    this.#symbol = symbol;
    this.#times = times;
    this.#quotes = new QuoteHistory(client, symbol);
  }

  /** `now`: milliseconds since the epoch. */
  async load(now: number, signal: AbortSignal): Promise<LoadedRange> {
    const window = chartWindow(this.#times, now);
    const made = isStored(window.interval) ? null : await this.#madeOfQuotes(window, now, signal);
    if (made) return this.#loaded(window, made);
    const stored = isStored(window.interval) ? window : chartWindow(this.#times, now, '1m');
    const { interval, from, to } = stored;
    const { items } = await this.#client.bars(
      this.#symbol,
      { interval: interval as Interval, from, to, limit: MOST_BARS },
      { signal },
    );
    return this.#loaded(stored, items);
  }

  async #madeOfQuotes({ interval, from, to }: ChartWindow, now: number, signal: AbortSignal) {
    const { published, closed } = this.#times;
    const first = closed === null ? Math.min(from, published - QUOTES_BEFORE_MS) : from;
    const quotes = await this.#quotes.load(first, Math.min(to, now), signal);
    return quotes && barsOf(quotes, intervalMsOf(interval), Math.min(to - 1, now));
  }

  #loaded(window: ChartWindow, bars: readonly OhlcvBar[]): LoadedRange {
    const known = this.#series?.interval === window.interval ? this.#series : null;
    known?.prepend(bars);
    const series = known?.mergeTail(bars) ? known : new ChartBars(window.interval, bars);
    this.#series = series;
    return { series, window };
  }
}
