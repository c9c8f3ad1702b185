// What a strategy is: a pure function from what the market looks like to a signal worth publishing, or null.
import type { OhlcvBar, SignalRequest } from '@tickwire/client';

export type Bar = Pick<OhlcvBar, 'open' | 'high' | 'low' | 'close'>;

export interface Look {
  /** Minutes that have ended, ascending. */
  readonly bars: readonly Bar[];
  readonly quote: { readonly bid: number; readonly ask: number };
}

export interface Idea extends Pick<SignalRequest, 'direction' | 'entry' | 'stop_loss' | 'take_profit'> {
  readonly note: string;
  readonly expires_in_seconds: number;
}

export type Strategy = (look: Look) => Idea | null;
