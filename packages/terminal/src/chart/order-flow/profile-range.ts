// The time range of a volume profile: the visible bars, the day of the newest visible bar, or a fixed range.
import { DAY_MS } from '@tickwire/contract/durations.ts';
import type { ChartBars } from '../bars/chart-bars.ts';
import { positionOf } from '../bars/time-axis.ts';
import { periodStart } from './cumulative-delta.ts';
import type { FixedRange, ProfileRange } from './flow-choices.ts';

/** The service adds up no more. */
export const MAX_DAYS = 31;

/** Milliseconds since the epoch, `to` exclusive. It is `null` if the range goes on to the newest bar. */
export interface TimeRange {
  readonly from: number;
  readonly to: number | null;
}

/** Start of the bar whose place in the chart is nearest to a time, in milliseconds since the epoch. `null` without bars. */
export function barStartAt(series: Pick<ChartBars, 'candles' | 'intervalMs'> | null, timeMs: number): number | null {
  const position = series && positionOf(series, timeMs);
  if (!series || position === null) return null;
  const at = Math.max(0, Math.min(series.candles.length - 1, Math.round(position)));
  return series.candles[at]?.time ?? null;
}

/** `seen`: visible positions, in bars. `null` if there is nothing to show. */
export function rangeOf(
  choice: ProfileRange,
  { candles, intervalMs }: Pick<ChartBars, 'candles' | 'intervalMs'>,
  seen: { readonly from: number; readonly to: number },
  fixed: FixedRange | undefined,
): TimeRange | null {
  const last = candles.length - 1;
  const [first, end] = [Math.max(0, Math.ceil(seen.from)), Math.min(last, Math.floor(seen.to))];
  if (choice === 'off' || end < first || !candles[first]) return null;
  const newest = candles[end]!;
  const endOf = (time: number): number => time + intervalMs;
  if (choice === 'fixed') return fixed ? { from: fixed.from, to: fixed.to === null ? null : endOf(fixed.to) } : null;
  if (choice === 'view') return { from: candles[first].time, to: end === last ? null : endOf(newest.time) };
  const day = periodStart('day', newest.time);
  const isToday = periodStart('day', candles[last]!.time) === day;
  return { from: day, to: isToday ? null : day + DAY_MS };
}

/** Whether a range is longer than the service adds up. */
export const isTooLong = ({ from, to }: TimeRange, now: number): boolean => (to ?? now) - from > MAX_DAYS * DAY_MS;
