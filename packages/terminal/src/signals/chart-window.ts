// Which bars the chart of a signal shows: its lifetime with some context before and after, in the finest timeframe that does not
// need too many bars.
import type { Timeframe } from '@tickwire/client';
import { TIMEFRAME_MS, TIMEFRAMES } from '../services/candle.ts';

const MOST_BARS = 180;
const SHORTEST_MS = 1_200_000;
const BEFORE = 0.5;
const AFTER = 0.2;

export interface ChartWindow {
  readonly timeframe: Timeframe;
  readonly barMs: number;
  /** Milliseconds since the epoch, on the boundaries of bars. */
  readonly from: number;
  readonly to: number;
}

/** `end`: when it closed; `null` while it is active. */
export function chartWindow(start: number, end: number | null, now: number): ChartWindow {
  const last = end ?? now;
  const lifetime = Math.max(SHORTEST_MS, last - start);
  const from = start - lifetime * BEFORE;
  const to = Math.min(
    end === null ? last + lifetime * AFTER : Math.max(last + lifetime * AFTER, start + lifetime),
    now + lifetime * AFTER,
  );
  const timeframe = TIMEFRAMES.find((each) => (to - from) / TIMEFRAME_MS[each] <= MOST_BARS) ?? '1d';
  const barMs = TIMEFRAME_MS[timeframe];
  return { timeframe, barMs, from: Math.floor(from / barMs) * barMs, to: Math.ceil(to / barMs) * barMs };
}
