// The bars of the open instrument: from the cache if it was open before, then loaded, updated live, corrected by a reload every
// few seconds, and extended into the past on request. Responses for another instrument or timeframe are ignored.
import {
  type Allowance,
  type CoreClient,
  type Stream,
  type StreamHandlers,
  type StreamOptions,
  type StreamState,
  TickwireError,
  type Timeframe,
} from '@tickwire/client';
import { historyEveryMs } from '../services/request-pacing.ts';
import { type Polling, poll } from '../ui/poll.ts';
import { ChartBars } from './chart-bars.ts';

/** Maximum number of bars in a response. */
export const PAGE = 500;
/** Instruments opened in quick succession, by arrow keys, wait this long: passing one does not cost a request. */
const SETTLE_MS = 200;
const MAX_CACHED_SERIES = 8;
const MAX_CACHED_CANDLES = 2_000;
const RETRY_MS = 10_000;

/** Older bars: available, being loaded, none left, or no room for more. */
export type HistoryState = 'more' | 'loading' | 'complete' | 'full';

export type OpenBars = (options: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => Stream<'bars'>;

export interface BarFeedOptions {
  readonly client: Pick<CoreClient, 'market'>;
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
  readonly now?: () => number;
}

interface Current {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly call: AbortController;
}

export class BarFeed {
  readonly #options: BarFeedOptions;
  readonly #poll: typeof poll;
  readonly #now: () => number;
  /** Most recently used last. */
  readonly #cache = new Map<string, { series: ChartBars; history: HistoryState }>();
  #current: Current | null = null;
  #series: ChartBars | null = null;
  #history: HistoryState = 'more';
  #retryOlderAt = 0;
  #openedAt = Number.NEGATIVE_INFINITY;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #polling: Polling | undefined;
  #stream: { readonly timeframe: Timeframe; readonly stream: Stream<'bars'> } | null = null;
  #streamState: StreamState = 'closed';

  constructor(options: BarFeedOptions) {
    this.#options = options;
    this.#poll = options.poll ?? poll;
    this.#now = options.now ?? Date.now;
  }

  get series(): ChartBars | null {
    return this.#series;
  }

  get history(): HistoryState {
    return this.#history;
  }

  open(symbol: string, timeframe: Timeframe): void {
    this.#closeCurrent();
    const current = { symbol, timeframe, call: new AbortController() };
    this.#current = current;
    const cached = this.#cache.get(keyOf(current));
    this.#setHistory(cached?.history ?? 'more');
    if (cached) this.#show(cached.series);
    const soon = this.#now() - this.#openedAt < SETTLE_MS;
    this.#openedAt = this.#now();
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
    const [current, series] = [this.#current, this.#series];
    const oldest = series?.candles[0];
    if (!current || !series || !oldest || this.#history !== 'more' || this.#now() < this.#retryOlderAt) return;
    const { symbol, timeframe, call } = current;
    this.#setHistory('loading');
    try {
      const request = { timeframe, bars: PAGE, before: oldest.time, detail: true } as const;
      const { ohlcv } = await this.#options.client.market(symbol, request, { signal: call.signal });
      if (call.signal.aborted || this.#series !== series) return;
      series.prepend(ohlcv);
      this.#setHistory(series.full ? 'full' : ohlcv.length < PAGE ? 'complete' : 'more');
      this.#options.onChange();
    } catch (error) {
      if (call.signal.aborted || this.#series !== series) return;
      this.#setHistory('more');
      this.#retryOlderAt = this.#now() + this.#onError(error);
    }
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
    try {
      await this.#refresh(current, signal);
    } catch (error) {
      return signal.aborted ? 0 : this.#onError(error);
    }
    return historyEveryMs(this.#options.allowance());
  }

  async #refresh({ symbol, timeframe }: Current, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const known = this.#series;
    const newest = known?.candles.at(-1);
    if (known && newest) {
      // Enough to overlap with the current bars, however old they are.
      const passed = Math.ceil((this.#now() - newest.time) / known.intervalMs);
      const bars = Math.min(PAGE, Math.max(3, passed + 2));
      const { ohlcv } = await client.market(symbol, { timeframe, bars, detail: true }, { signal });
      if (signal.aborted) return;
      if (known.mergeTail(ohlcv)) {
        this.#options.onChange();
        return;
      }
    }
    const { ohlcv } = await client.market(symbol, { timeframe, bars: PAGE, detail: true }, { signal });
    if (signal.aborted) return;
    this.#setHistory(ohlcv.length < PAGE ? 'complete' : 'more');
    this.#show(new ChartBars(timeframe, ohlcv));
  }

  /** Returns the milliseconds to wait before a retry. */
  #onError(error: unknown): number {
    if (!(error instanceof TickwireError)) throw error;
    this.#options.onError(error);
    return error.retryAfterSeconds === null ? RETRY_MS : error.retryAfterSeconds * 1_000;
  }

  #openStream({ symbol, timeframe }: Current, openBars: OpenBars): void {
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
          const current = this.#current;
          if (bar.symbol !== current?.symbol || bar.timeframe !== current.timeframe) return;
          if (this.#series?.applyBar(bar)) this.#options.onChange();
        },
        onState: (state) => {
          // A stream that was closed for another timeframe no longer counts.
          if (this.#stream === null || this.#stream.timeframe === timeframe) this.#streamState = state;
        },
        // Bars may be missing.
        onGap: () => {
          if (this.#current?.timeframe === timeframe) this.#restart(this.#current);
        },
      },
    );
    this.#stream = { timeframe, stream };
  }
}

const keyOf = ({ symbol, timeframe }: Current): string => `${symbol} ${timeframe}`;
