// The lengths of bars that the service keeps and streams. Without schemas, so that browsers can load it.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../common/durations.ts';

export const TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** Length of each timeframe in milliseconds. */
export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
};

export const isTimeframe = (interval: string): interval is Timeframe => Object.hasOwn(TIMEFRAME_MS, interval);

/** Timeframes whose footprints are streamed. */
export const FOOTPRINT_TIMEFRAMES = ['1m', '5m', '15m', '1h'] as const;
export type FootprintTimeframe = (typeof FOOTPRINT_TIMEFRAMES)[number];
