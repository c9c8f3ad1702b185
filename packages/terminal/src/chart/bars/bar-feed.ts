// The bars of the open instrument: from the cache if it was open before, then loaded, updated live, corrected by a reload every
// few seconds, and extended into the past on request. Responses for another instrument or timeframe are ignored.
import {
  type Allowance,
  type StreamHandlers,
  type StreamOptions,
  type StreamState,
  TickwireError,
  type Timeframe,
} from '@tickwire/client';
import { isTimeframe } from '@tickwire/contract/timeframes.ts';
import { historyEveryMs, mayFillIn } from '../../services/request-pacing.ts';
import type { SharedStream } from '../../services/shared-streams.ts';
import { type Polling, poll } from '../../ui/poll.ts';
import { type BarClient, type BarSource, loadBefore, loadNewest, PAGE } from './bar-source.ts';
import { ChartBars } from './chart-bars.ts';

/** Instruments opened in quick succession, by arrow keys, wait this long: passing one does not cost a request. */
const SETTLE_MS = 200;
const MAX_CACHED_SERIES = 8;
const MAX_CACHED_CANDLES = 2_000;
const RETRY_MS = 10_000;
/** A chart with few bars may be getting its history: it is loaded again after this pause, which doubles while nothing comes. */
const SHORT_MS = 2_000;

/** Older bars: available, being loaded, none left, or no room for more. */
export type HistoryState = 'more' | 'loading' | 'complete' | 'full';

export type OpenBars = (options: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => SharedStream;

export interface BarFeedOptions {
  readonly client: BarClient;
  /** Opens a stream of live bars; `null` if no stream is available, then prices update the forming bar. */
  readonly openBars: OpenBars | null;
  readonly allowance: () => Allowance | null;
  /** Another series has been opened or loaded. */
  readonly onSeries: (series: ChartBars) => void;
  /** The current series has changed. */
  readonly onChange: () => void;
  readonly onHistory: (history: HistoryState) => void;
  readonly onError: (error: TickwireError) => void;
  readonly poll?: typeof poll;
  /** The time of the chart, in epoch milliseconds: that of a replay in a replay. */
  readonly now?: () => number;
  /** Milliseconds of a clock that is never set, for pauses. */
  readonly elapsed?: () => number;
}

interface Current {
  readonly symbol: string;
  readonly interval: string;
  readonly call: AbortController;
}

export class BarFeed {
  readonly #options: BarFeedOptions;
  readonly #poll: typeof poll;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  /** Most recently used last. */
  readonly #cache = new Map<string, { series: ChartBars; history: HistoryState }>();
  #current: Current | null = null;
  #series: ChartBars | null = null;
  #history: HistoryState = 'more';
  #retryOlderAt = 0;
  #shortMs = SHORT_MS;
  /** The last request for older bars. */
  #pending: Promise<unknown> = Promise.resolve();
  #openedAt = Number.NEGATIVE_INFINITY;
  /** Start of the newest bar when bars were loaded last. In a replay, many can follow until the next time. */
  #loadedTo = Number.POSITIVE_INFINITY;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #polling: Polling | undefined;
  #stream: { readonly timeframe: Timeframe; readonly stream: SharedStream } | null = null;
  #streamState: StreamState = 'closed';

  constructor(options: BarFeedOptions) {
    this.#options = options;
    this.#poll = options.poll ?? poll;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
  }

  get series(): ChartBars | null {
    return this.#series;
  }

  get history(): HistoryState {
    return this.#history;
  }

  open(symbol: string, interval: string): void {
    this.#closeCurrent();
    const current = { symbol, interval, call: new AbortController() };
    this.#current = current;
    this.#shortMs = SHORT_MS;
    this.#loadedTo = Number.POSITIVE_INFINITY;
    const cached = this.#cache.get(keyOf(current));
    this.#setHistory(cached?.history ?? 'more');
    if (cached) this.#show(cached.series);
    const soon = this.#elapsed() - this.#openedAt < SETTLE_MS;
    this.#openedAt = this.#elapsed();
    if (soon) this.#startTimer = setTimeout(() => this.#start(current), SETTLE_MS);
    else this.#start(current);
  }

  close(): void {
    this.#closeCurrent();
    this.#current = null;
    this.#stream?.stream.close();
    this.#stream = null;
  }

  /** Applies a tick, unless live bars arrive, which are more accurate. */
  applyPrice(price: number, timeMs: number, volume: number): void {
    if (this.#streamState === 'live') return;
    if (this.#series?.applyPrice(price, timeMs, volume)) this.#options.onChange();
  }

  applyTakerVolume(bidVolume: number, askVolume: number, timeMs: number): void {
    if (this.#series?.applyTakerVolume(bidVolume, askVolume, timeMs)) this.#options.onChange();
  }

  /** Loads one page of bars before the oldest one. */
  async loadOlder(): Promise<void> {
    this.#pending = this.#loadBefore();
    await this.#pending;
  }

  /** Loads bars back to a time. False if the history does not reach back that far, or there is no room for so many bars. */
  async loadUntil(timeMs: number): Promise<boolean> {
    for (;;) {
      await this.#pending;
      const oldest = this.#series?.candles[0];
      if (!oldest) return false;
      if (oldest.time <= timeMs) return true;
      // Bars are missing on weekends, so this is rather too many. The page before the date is loaded as well.
      const count = Math.ceil((oldest.time - timeMs) / this.#series!.intervalMs) + PAGE;
      if (!(await this.#loadBefore({ count }))) return false;
    }
  }

  /** False if nothing was loaded. */
  async #loadBefore(until?: { readonly count: number }): Promise<boolean> {
    const [current, series] = [this.#current, this.#series];
    const oldest = series?.candles[0];
    if (!current || !series || !oldest || this.#history !== 'more') return false;
    if (this.#elapsed() < this.#retryOlderAt) return false;
    const { signal } = current.call;
    this.#setHistory('loading');
    try {
      const { bars, complete } = await loadBefore(this.#source(current), oldest.time, until);
      if (signal.aborted || this.#series !== series) return false;
      const added = series.prepend(bars);
      this.#setHistory(series.full ? 'full' : complete ? 'complete' : 'more');
      this.#options.onChange();
      return added > 0;
    } catch (error) {
      if (signal.aborted || this.#series !== series) return false;
      this.#setHistory('more');
      this.#retryOlderAt = this.#elapsed() + this.#onError(error);
      return false;
    }
  }

  #source({ symbol, interval, call: { signal } }: Current): BarSource {
    return { client: this.#options.client, symbol, interval, signal };
  }

  #start(current: Current): void {
    this.#restart(current);
    if (this.#options.openBars) this.#openStream(current, this.#options.openBars);
  }

  #restart(current: Current): void {
    this.#polling?.stop();
    this.#polling = this.#poll(() => this.#refreshOnce(current));
  }

  /** Responses that are still pending are ignored. */
  #closeCurrent(): void {
    clearTimeout(this.#startTimer);
    this.#polling?.stop();
    this.#retryOlderAt = 0;
    const [current, series] = [this.#current, this.#series];
    this.#series = null;
    current?.call.abort();
    if (!current || !series) return;
    const trimmed = series.trim(MAX_CACHED_CANDLES);
    const history = trimmed || this.#history === 'loading' || this.#history === 'full' ? 'more' : this.#history;
    this.#cache.delete(keyOf(current));
    this.#cache.set(keyOf(current), { series, history });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_SERIES && oldest !== undefined) this.#cache.delete(oldest);
  }

  #show(series: ChartBars): void {
    series.redrawAll();
    this.#series = series;
    this.#options.onSeries(series);
  }

  #setHistory(history: HistoryState): void {
    this.#history = history;
    this.#options.onHistory(history);
  }

  async #refreshOnce(current: Current): Promise<number> {
    const { signal } = current.call;
    const before = this.#series?.candles.length ?? 0;
    try {
      await this.#refresh(current, signal);
    } catch (error) {
      return signal.aborted ? 0 : this.#onError(error);
    }
    this.#loadedTo = this.#series?.candles.at(-1)?.time ?? this.#loadedTo;
    const allowance = this.#options.allowance();
    const usualMs = historyEveryMs(allowance);
    const count = this.#series?.candles.length ?? 0;
    if (count >= PAGE || !mayFillIn(allowance)) return usualMs;
    this.#shortMs = count > before ? SHORT_MS : 2 * this.#shortMs;
    return Math.min(usualMs, this.#shortMs);
  }

  async #refresh(current: Current, signal: AbortSignal): Promise<void> {
    const source = this.#source(current);
    const known = this.#series;
    const newest = known?.candles.at(-1);
    if (known && newest) {
      // Enough to overlap with the current bars, however old they are. A short chart may get older bars: its history is loading.
      const since = Math.min(newest.time, this.#loadedTo);
      const passed = Math.ceil((this.#now() - since) / known.intervalMs);
      const isShort = known.candles.length < PAGE;
      const count = isShort ? PAGE : Math.min(PAGE, Math.max(3, passed + 2));
      const { bars, complete } = await loadNewest(source, count);
      if (signal.aborted) return;
      if (isShort && known.prepend(bars) > 0) this.#setHistory(complete ? 'complete' : 'more');
      if (known.mergeTail(bars)) {
        this.#options.onChange();
        return;
      }
    }
    const { bars, complete } = await loadNewest(source);
    if (signal.aborted) return;
    this.#setHistory(complete ? 'complete' : 'more');
    this.#show(new ChartBars(current.interval, bars));
  }

  /** Returns the milliseconds to wait before a retry. */
  #onError(error: unknown): number {
    if (!(error instanceof TickwireError)) throw error;
    this.#options.onError(error);
    return error.retryAfterSeconds === null ? RETRY_MS : error.retryAfterSeconds * 1_000;
  }

  /** Bars of other intervals are made of those of a minute. */
  #openStream({ symbol, interval }: Current, openBars: OpenBars): void {
    const timeframe = isTimeframe(interval) ? interval : '1m';
    if (this.#stream?.timeframe === timeframe && this.#stream.stream.state !== 'closed') {
      this.#stream.stream.setSymbols([symbol]);
      return;
    }
    this.#stream?.stream.close();
    this.#streamState = 'connecting';
    const stream = openBars(
      { symbols: [symbol], timeframe },
      {
        onMessage: (bar) => {
          const [current, series] = [this.#current, this.#series];
          if (bar.symbol !== current?.symbol || bar.timeframe !== timeframe || !series) return;
          const isWhole = current.interval === timeframe;
          if (!isWhole && isTimeframe(current.interval)) return;
          if (isWhole ? series.applyBar(bar) : series.applyMinute(bar)) this.#options.onChange();
        },
        onState: (state) => {
          // A stream that was closed for another timeframe no longer counts.
          if (this.#stream === null || this.#stream.timeframe === timeframe) this.#streamState = state;
        },
        // Bars may be missing.
        onGap: () => {
          if (this.#current && this.#stream?.timeframe === timeframe) this.#restart(this.#current);
        },
      },
    );
    this.#stream = { timeframe, stream };
  }
}

const keyOf = ({ symbol, interval }: Current): string => `${symbol} ${interval}`;
