// The bars of the instrument that is open: shown at once where they were seen before, loaded, moved live, set right every few
// seconds, and lengthened to the back on request. What belongs to another instrument or timeframe never gets in.
import {
  type Allowance,
  type Stream,
  type StreamHandlers,
  type StreamOptions,
  type StreamState,
  type TickwireClient,
  TickwireError,
  type Timeframe,
} from '@tickwire/client';
import { historyEveryMs } from '../pace.ts';
import { type Repetition, repeat } from '../repeat.ts';
import { BarSeries } from './bar-series.ts';

/** The most that one answer has. */
export const PAGE = 500;
/** Fast arrow keys through the list must not cost a request each: only the first of them is asked for at once. */
const SETTLE_MS = 200;
/** Series that were looked at before, and how much of each is kept. */
const MOST_SERIES = 8;
const KEPT_CANDLES = 2_000;
const AGAIN_MS = 10_000;

/** How far back it goes: to be seen by scrolling, on its way, the very beginning, or all that is kept at once. */
export type Reach = 'more' | 'loading' | 'beginning' | 'full';

export type ListenToBars = (options: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => Stream<'bars'>;

export interface BarFeedOptions {
  readonly client: Pick<TickwireClient, 'market'>;
  /** Opens a stream of the service's own live bars; null where there is none to spare: then prices move the forming bar. */
  readonly listen: ListenToBars | null;
  readonly allowance: () => Allowance | null;
  /** Another series is to be shown. */
  readonly onSeries: (series: BarSeries) => void;
  /** The series that is shown has changed. */
  readonly onChange: () => void;
  readonly onReach: (reach: Reach) => void;
  readonly onFailure: (error: TickwireError) => void;
  readonly repeat?: typeof repeat;
  readonly now?: () => number;
}

interface Shown {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly call: AbortController;
}

export class BarFeed {
  readonly #options: BarFeedOptions;
  readonly #repeat: typeof repeat;
  readonly #now: () => number;
  /** The latest last. */
  readonly #seen = new Map<string, { series: BarSeries; reach: Reach }>();
  #shown: Shown | null = null;
  #series: BarSeries | null = null;
  #reach: Reach = 'more';
  #retryOlderAt = 0;
  #openedAt = Number.NEGATIVE_INFINITY;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #repetition: Repetition | undefined;
  #stream: { readonly timeframe: Timeframe; readonly stream: Stream<'bars'> } | null = null;
  #streamState: StreamState = 'closed';

  constructor(options: BarFeedOptions) {
    this.#options = options;
    this.#repeat = options.repeat ?? repeat;
    this.#now = options.now ?? Date.now;
  }

  get series(): BarSeries | null {
    return this.#series;
  }

  get reach(): Reach {
    return this.#reach;
  }

  open(symbol: string, timeframe: Timeframe): void {
    this.#leave();
    const shown = { symbol, timeframe, call: new AbortController() };
    this.#shown = shown;
    const seen = this.#seen.get(keyOf(shown));
    this.#setReach(seen?.reach ?? 'more');
    if (seen) this.#show(seen.series);
    const quickly = this.#now() - this.#openedAt < SETTLE_MS;
    this.#openedAt = this.#now();
    if (quickly) this.#settle = setTimeout(() => this.#begin(shown), SETTLE_MS);
    else this.#begin(shown);
  }

  close(): void {
    this.#leave();
    this.#shown = null;
    this.#stream?.stream.close();
    this.#stream = null;
  }

  /** The price of a tick; the service's own live bars are better where they come. */
  move(price: number, timeMs: number, volume: number): void {
    if (this.#streamState === 'live') return;
    if (this.#series?.move(price, timeMs, volume)) this.#options.onChange();
  }

  take(bidVolume: number, askVolume: number, timeMs: number): void {
    if (this.#series?.take(bidVolume, askVolume, timeMs)) this.#options.onChange();
  }

  /** Asks for the bars before the oldest, one page at a time. */
  async older(): Promise<void> {
    const [shown, series] = [this.#shown, this.#series];
    const oldest = series?.candles[0];
    if (!shown || !series || !oldest || this.#reach !== 'more' || this.#now() < this.#retryOlderAt) return;
    const { symbol, timeframe, call } = shown;
    this.#setReach('loading');
    try {
      const asked = { timeframe, bars: PAGE, before: oldest.time, detail: true } as const;
      const { ohlcv } = await this.#options.client.market(symbol, asked, { signal: call.signal });
      if (call.signal.aborted || this.#series !== series) return;
      series.putInFront(ohlcv);
      this.#setReach(series.full ? 'full' : ohlcv.length < PAGE ? 'beginning' : 'more');
      this.#options.onChange();
    } catch (error) {
      if (call.signal.aborted || this.#series !== series) return;
      this.#setReach('more');
      this.#retryOlderAt = this.#now() + this.#failed(error);
    }
  }

  #begin(shown: Shown): void {
    this.#restart(shown);
    if (this.#options.listen) this.#listen(shown, this.#options.listen);
  }

  #restart(shown: Shown): void {
    this.#repetition?.stop();
    this.#repetition = this.#repeat(() => this.#round(shown));
  }

  /** What was shown no longer counts; answers that are still under way are dropped. */
  #leave(): void {
    clearTimeout(this.#settle);
    this.#repetition?.stop();
    this.#retryOlderAt = 0;
    const [shown, series] = [this.#shown, this.#series];
    this.#series = null;
    shown?.call.abort();
    if (!shown || !series) return;
    const trimmed = series.trim(KEPT_CANDLES);
    const reach = trimmed || this.#reach === 'loading' || this.#reach === 'full' ? 'more' : this.#reach;
    this.#seen.delete(keyOf(shown));
    this.#seen.set(keyOf(shown), { series, reach });
    const [longestUnseen] = this.#seen.keys();
    if (this.#seen.size > MOST_SERIES && longestUnseen !== undefined) this.#seen.delete(longestUnseen);
  }

  #show(series: BarSeries): void {
    series.forgetDrawn();
    this.#series = series;
    this.#options.onSeries(series);
  }

  #setReach(reach: Reach): void {
    this.#reach = reach;
    this.#options.onReach(reach);
  }

  async #round(shown: Shown): Promise<number> {
    const { signal } = shown.call;
    try {
      await this.#refresh(shown, signal);
    } catch (error) {
      return signal.aborted ? 0 : this.#failed(error);
    }
    return historyEveryMs(this.#options.allowance());
  }

  async #refresh({ symbol, timeframe }: Shown, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const known = this.#series;
    const newest = known?.candles.at(-1);
    if (known && newest) {
      // Enough to join on to what is shown, however long ago that was.
      const passed = Math.ceil((this.#now() - newest.time) / known.intervalMs);
      const bars = Math.min(PAGE, Math.max(3, passed + 2));
      const { ohlcv } = await client.market(symbol, { timeframe, bars, detail: true }, { signal });
      if (signal.aborted) return;
      if (known.join(ohlcv)) {
        this.#options.onChange();
        return;
      }
    }
    const { ohlcv } = await client.market(symbol, { timeframe, bars: PAGE, detail: true }, { signal });
    if (signal.aborted) return;
    this.#setReach(ohlcv.length < PAGE ? 'beginning' : 'more');
    this.#show(new BarSeries(timeframe, ohlcv));
  }

  /** Milliseconds until it may be tried again. */
  #failed(error: unknown): number {
    if (!(error instanceof TickwireError)) throw error;
    this.#options.onFailure(error);
    return error.retryAfterSeconds === null ? AGAIN_MS : error.retryAfterSeconds * 1_000;
  }

  #listen({ symbol, timeframe }: Shown, listen: ListenToBars): void {
    if (this.#stream?.timeframe === timeframe && this.#stream.stream.state !== 'closed') {
      this.#stream.stream.setSymbols([symbol]);
      return;
    }
    this.#stream?.stream.close();
    this.#streamState = 'connecting';
    const stream = listen(
      { symbols: [symbol], timeframe },
      {
        onMessage: (bar) => {
          const shown = this.#shown;
          if (bar.symbol !== shown?.symbol || bar.timeframe !== shown.timeframe) return;
          if (this.#series?.tell(bar)) this.#options.onChange();
        },
        onState: (state) => {
          // One that was closed for another timeframe has nothing to say.
          if (this.#stream === null || this.#stream.timeframe === timeframe) this.#streamState = state;
        },
        // Bars may have closed unseen.
        onGap: () => {
          if (this.#shown?.timeframe === timeframe) this.#restart(this.#shown);
        },
      },
    );
    this.#stream = { timeframe, stream };
  }
}

const keyOf = ({ symbol, timeframe }: Shown): string => `${symbol} ${timeframe}`;
