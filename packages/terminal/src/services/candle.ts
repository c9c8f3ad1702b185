// Candles and their timeframes, as the chart and the day's figures share them.
import type { Timeframe } from '@tickwire/client';

export interface Candle {
  /** Start of the bar, milliseconds since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};
export const TIMEFRAMES = Object.keys(TIMEFRAME_MS) as Timeframe[];
