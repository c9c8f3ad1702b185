// Delta: buy volume minus sell volume of a bar. The cumulative delta is its sum since 00:00 UTC, like `cumulative_delta` of the
// order flow.
import type { ChartCandle } from './chart-bars.ts';

const DAY = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / DAY);

export const deltaOf = ({ bidVolume, askVolume }: ChartCandle): number => askVolume - bidVolume;

/** False if the bars were built from quotes, which have no taker volume. */
export const hasTrades = (candles: readonly ChartCandle[]): boolean =>
  candles.some(({ bidVolume, askVolume }) => bidVolume > 0 || askVolume > 0);

/** Cumulative delta of the day, as reported by the order flow. */
export interface DayFigure {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: number;
}

/**
 * Cumulative delta at the start of the first bar, which is rarely midnight. If all bars are of today, it follows from the
 * service's figure; otherwise it is unknown, unless the bars are the whole history.
 */
export function openingOf(
  candles: readonly ChartCandle[],
  today: DayFigure | null,
  wholeHistory: boolean,
): number | null {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return null;
  if (first.time % DAY === 0) return 0;
  const isToday = today && dayOf(first.time) === dayOf(last.time) && dayOf(today.time) === dayOf(last.time);
  if (isToday) return candles.reduce((rest, candle) => rest - deltaOf(candle), today.value);
  return wholeHistory ? 0 : null;
}

/** Cumulative delta at the start of the first bar, and the time of that bar in milliseconds since the epoch. */
export interface Opening {
  readonly at: number;
  readonly value: number;
}

/** Differences below this fraction of the day's figure are caused by timing. */
const SAME_WITHIN = 0.01;

/** Keeps the previous value unless it really changed: bars and the day's figure do not arrive at the same moment. */
export function steadyOpening(
  before: Opening | null,
  candles: readonly ChartCandle[],
  today: DayFigure | null,
  wholeHistory: boolean,
): Opening | null {
  const value = openingOf(candles, today, wholeHistory);
  if (value === null) return null;
  const at = candles[0]!.time;
  const scale = Math.max(1, Math.abs(today?.value ?? 0));
  const same = before?.at === at && Math.abs(value - before.value) <= scale * SAME_WITHIN;
  return same ? before : { at, value };
}

export class CumulativeDelta {
  #values: (number | null)[] = [];
  #opening: number | null = null;

  /** `null` on a first day whose start is unknown. */
  get values(): readonly (number | null)[] {
    return this.#values;
  }

  /** Called after candles from `from` on have changed. Returns the index of the first value that may have changed. */
  update(candles: readonly ChartCandle[], from: number, opening: number | null): number {
    const start = opening === this.#opening ? Math.min(this.#values.length, from) : 0;
    this.#opening = opening;
    this.#values.length = start;
    for (let at = start; at < candles.length; at++) {
      const candle = candles[at]!;
      const before = candles[at - 1];
      const sum = !before ? opening : dayOf(before.time) === dayOf(candle.time) ? this.#values[at - 1]! : 0;
      this.#values.push(sum === null ? null : sum + deltaOf(candle));
    }
    return start;
  }
}
