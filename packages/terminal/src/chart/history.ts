// The bars of one instrument in one timeframe: loaded once, set right every few seconds, moved by live prices between.
import { type Allowance, type TickwireClient, TickwireError, type Timeframe } from '@tickwire/client';
import { historyEveryMs } from '../pace.ts';
import { type Repetition, repeat } from '../repeat.ts';
import { BarSeries } from './bar-series.ts';

const BARS = 500;
/** Enough to join on to what is shown at the slowest pace and the shortest bar. */
const TAIL_BARS = 5;
/** Fast arrow keys through the list must not cost a request each. */
const SETTLE_MS = 250;

export interface HistoryEvents {
  readonly onBars: (series: BarSeries) => void;
  readonly onFailure: (error: TickwireError) => void;
}

export class History {
  readonly #client: TickwireClient;
  readonly #allowance: () => Allowance | null;
  readonly #events: HistoryEvents;
  #series: BarSeries | null = null;
  #repetition: Repetition | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #call = new AbortController();

  constructor(client: TickwireClient, allowance: () => Allowance | null, events: HistoryEvents) {
    this.#client = client;
    this.#allowance = allowance;
    this.#events = events;
  }

  open(symbol: string, timeframe: Timeframe): void {
    this.close();
    this.#call = new AbortController();
    const { signal } = this.#call;
    this.#settle = setTimeout(() => {
      this.#repetition = repeat(() => this.#round(symbol, timeframe, signal));
    }, SETTLE_MS);
  }

  close(): void {
    clearTimeout(this.#settle);
    this.#repetition?.stop();
    this.#call.abort();
    this.#series = null;
  }

  /** A live price of the instrument that is open. */
  move(price: number, timeMs: number, volume: number): void {
    if (this.#series?.move(price, timeMs, volume)) this.#events.onBars(this.#series);
  }

  async #round(symbol: string, timeframe: Timeframe, signal: AbortSignal): Promise<number> {
    try {
      await this.#refresh(symbol, timeframe, signal);
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof TickwireError)) throw error;
      this.#events.onFailure(error);
      return (error.retryAfterSeconds ?? 10) * 1_000;
    }
    return historyEveryMs(this.#allowance());
  }

  async #refresh(symbol: string, timeframe: Timeframe, signal: AbortSignal): Promise<void> {
    const known = this.#series;
    if (known && known.candles.length > 0) {
      const { ohlcv } = await this.#client.market(symbol, { timeframe, bars: TAIL_BARS }, { signal });
      if (known.join(ohlcv)) {
        this.#events.onBars(known);
        return;
      }
    }
    const { ohlcv } = await this.#client.market(symbol, { timeframe, bars: BARS }, { signal });
    this.#series = new BarSeries(timeframe, ohlcv);
    this.#events.onBars(this.#series);
  }
}
