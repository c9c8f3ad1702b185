// A strategy: a pure function from the state of a market to a trade idea, or `null` for none. Prices are in price units.
import type { OhlcvBar, SignalRequest } from '@tickwire/client';

export type PriceBar = Pick<OhlcvBar, 'open' | 'high' | 'low' | 'close'>;

export interface MarketSnapshot {
  /** Closed one-minute bars, ascending. */
  readonly bars: readonly PriceBar[];
  readonly quote: { readonly bid: number; readonly ask: number };
}

export interface TradeIdea extends Pick<SignalRequest, 'direction' | 'stop_loss'> {
  readonly entry: number;
  readonly take_profit: number;
  readonly note: string;
  /** Counted from the end of the last bar. */
  readonly expires_in_seconds: number;
}

export type Strategy = (snapshot: MarketSnapshot) => TradeIdea | null;
