// Which bars the chart of a signal shows: its life with some context before and after, in bars of which the trade has at least
// twenty. Bars of a minute and more are those of the service; shorter ones are made of recorded quotes.
import { MINUTE_MS } from '@tickwire/contract/durations.ts';
import { intervalMsOf } from '../chart/bars/intervals.ts';

const STEPS = [
  ...['1s', '2s', '5s', '10s', '15s', '30s', '1m', '2m', '3m', '5m', '10m', '15m', '20m', '30m'],
  ...['1h', '2h', '3h', '4h', '6h', '8h', '12h', '1d'],
].map((interval) => ({ interval, ms: intervalMsOf(interval) }));
const MOST_BARS = 180;
export const LEAST_TRADE_BARS = 20;
const BEFORE = 0.5;
const AFTER = 0.2;

/** Milliseconds since the epoch. */
export interface SignalTimes {
  readonly published: number;
  /** `null` if it is not filled. */
  readonly filled: number | null;
  /** `null` while it is active. */
  readonly closed: number | null;
}

export interface ChartWindow {
  /** Such as `5m`. */
  readonly interval: string;
  /** Milliseconds since the epoch, on the boundaries of bars. */
  readonly from: number;
  readonly to: number;
}

/** Whether the service has such bars; shorter ones are made of quotes. */
export const isStored = (interval: string): boolean => intervalMsOf(interval) >= MINUTE_MS;

/** `shortest`: `1m` if there are no quotes to make shorter bars of. */
export function chartWindow({ published, filled, closed }: SignalTimes, now: number, shortest = '1s'): ChartWindow {
  const steps = STEPS.filter(({ ms }) => ms >= intervalMsOf(shortest));
  const end = closed ?? now;
  const least = LEAST_TRADE_BARS * steps[0]!.ms;
  const life = Math.max(least, end - published);
  const trade = Math.max(least, end - (filled ?? published));
  let from = published - life * BEFORE;
  let to = Math.min(end + life * AFTER, now + life * AFTER);
  let bar = steps.find(({ ms }) => ms >= MINUTE_MS && (to - from) / ms <= MOST_BARS) ?? steps.at(-1)!;
  if (trade / bar.ms < LEAST_TRADE_BARS) {
    // A short trade, maybe after a long wait, which is cut off.
    bar = steps.findLast(({ ms }) => trade / ms >= LEAST_TRADE_BARS) ?? steps[0]!;
    from = Math.max(from, end - trade * (1 + BEFORE));
    to = Math.min(to, end + trade * AFTER);
  }
  // What has just begun still has room.
  to = Math.max(to, from + trade);
  const { interval, ms } = bar;
  return { interval, from: Math.floor(from / ms) * ms, to: Math.ceil(to / ms) * ms };
}
