// The time axis counts bars; drawings and the pointer have times. Between two bars the axis is divided evenly; before the first
// and after the last bar it goes on in steps of the interval.
import type { ITimeScaleApi, Logical, Time } from 'lightweight-charts';
import type { ChartCandle } from './chart-bars.ts';

interface Bars {
  readonly candles: readonly Pick<ChartCandle, 'time'>[];
  readonly intervalMs: number;
}

/** Position of a time, in bars: 2.5 is halfway between the third and the fourth bar. `null` without bars. */
export function positionOf({ candles, intervalMs }: Bars, timeMs: number): number | null {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return null;
  if (timeMs <= first.time) return (timeMs - first.time) / intervalMs;
  if (timeMs >= last.time) return candles.length - 1 + (timeMs - last.time) / intervalMs;
  let [low, high] = [0, candles.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (candles[middle]!.time <= timeMs) low = middle;
    else high = middle;
  }
  const [before, after] = [candles[low]!.time, candles[high]!.time];
  return low + (timeMs - before) / (after - before);
}

/** Milliseconds since the epoch. */
export interface ShownTime {
  readonly from: number;
  readonly to: number;
}

/** Free space after the newest bar: at least so much that the last time below the chart is not cut off, as a share of all bars. */
const LEAST_ROOM = 0.05;
/** Largest number of bars, or this share: a weekend would leave more. */
const MOST_ROOM_BARS = 20;
const MOST_ROOM = 0.25;

/** Positions that show a range, from the first bar on and with limited space after the last. `null` without bars. */
export function viewOf(bars: Bars, { from, to }: ShownTime): { readonly from: number; readonly to: number } | null {
  const [first, last] = [positionOf(bars, from), positionOf(bars, to)];
  if (first === null || last === null) return null;
  const { length } = bars.candles;
  const room = Math.min(last - length + 1, Math.max(MOST_ROOM_BARS, MOST_ROOM * length));
  return { from: Math.max(0, first), to: length - 1 + Math.max(LEAST_ROOM * length, room) };
}

/** The time at a position, in milliseconds since the epoch. `null` without bars. */
export function timeAt({ candles, intervalMs }: Bars, position: number): number | null {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return null;
  if (position <= 0) return first.time + position * intervalMs;
  if (position >= candles.length - 1) return last.time + (position - candles.length + 1) * intervalMs;
  const at = Math.floor(position);
  const [before, after] = [candles[at]!.time, candles[at + 1]!.time];
  return before + (position - at) * (after - before);
}

type Scale = Pick<ITimeScaleApi<Time>, 'logicalToCoordinate' | 'coordinateToLogical'>;

/** Pixels from the left of a position between bars; the library knows only those of whole bars. */
export function pixelOf(scale: Scale, position: number): number | null {
  const at = Math.floor(position);
  const [left, right] = [at, at + 1].map((each) => scale.logicalToCoordinate(each as Logical));
  return left === null || right === null ? null : left! + (position - at) * (right! - left!);
}

/** The position at a pixel, also between bars. */
export function positionAt(scale: Scale, x: number): number | null {
  const at = scale.coordinateToLogical(x);
  if (at === null) return null;
  const [left, right] = [at, at + 1].map((each) => scale.logicalToCoordinate(each as Logical));
  return left === null || right === null || left === right ? null : at + (x - left!) / (right! - left!);
}
