// Which prices form the newest bar: trades if there are any, otherwise the bid.
import type { MarketTick, OrderFlowTick } from '@tickwire/client';
import type { BarFeed } from './bar-feed.ts';
import type { ChartCandle } from './chart-bars.ts';

/** The last trade determines the forming bar for this long; after that, quotes do. */
const TRADE_FRESH_MS = 60_000;

export class FormingPrices {
  readonly #feed: Pick<BarFeed, 'applyPrice' | 'applyTakerVolume'>;
  #lastTradeMs = 0;
  #traded = false;

  constructor(feed: Pick<BarFeed, 'applyPrice' | 'applyTakerVolume'>) {
    this.#feed = feed;
  }

  /** Whether the bars were built from trades. */
  get traded(): boolean {
    return this.#traded;
  }

  /** Another instrument or interval was opened. */
  open(isAnotherInstrument: boolean): void {
    if (isAnotherInstrument) this.#lastTradeMs = 0;
    this.#traded = false;
  }

  /** The bars of the chart. Those of quotes have no taker volume. */
  see(candles: readonly ChartCandle[]): void {
    this.#traded ||= candles.some(({ bidVolume, askVolume }) => bidVolume > 0 || askVolume > 0);
  }

  quote({ bid, time, volume }: MarketTick): void {
    if (this.#traded || time * 1_000 - this.#lastTradeMs <= TRADE_FRESH_MS) return;
    this.#feed.applyPrice(bid, time * 1_000, volume);
  }

  trade({ price, bid_volume, ask_volume, time: seconds }: OrderFlowTick): void {
    if (bid_volume + ask_volume <= 0) return;
    const time = seconds * 1_000;
    this.#lastTradeMs = time;
    this.#feed.applyPrice(price, time, bid_volume + ask_volume);
    this.#feed.applyTakerVolume(bid_volume, ask_volume, time);
  }
}
