// Buying less selling volume, bar by bar and summed since 00:00 UTC, as `cumulative_delta` of the order flow is.
import type { ChartCandle } from './bar-series.ts';

const DAY = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / DAY);

export const deltaOf = ({ bidVolume, askVolume }: ChartCandle): number => askVolume - bidVolume;

/** Whether anything was traded: quotes alone have no sides. */
export const hasTrades = (candles: readonly ChartCandle[]): boolean =>
  candles.some(({ bidVolume, askVolume }) => bidVolume > 0 || askVolume > 0);

/** The figure of the day that the service tells with the order flow. */
export interface DayFigure {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: number;
}

/**
 * The sum at the beginning of the first bar. The bars seldom begin at midnight: what came before on that day follows from the
 * service's own figure where the day is today, and is not known otherwise.
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

/** The sum at the beginning of the first bar, and which bar that was: milliseconds since the epoch. */
export interface Opening {
  readonly at: number;
  readonly value: number;
}

/** A difference smaller than this share of the day's figure is one of timing. */
const SAME_WITHIN = 0.01;

/** The same as before unless it really is another: bars and the day's figure come by different ways, a moment apart. */
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

  /** null in a first day whose beginning is not known. */
  get values(): readonly (number | null)[] {
    return this.#values;
  }

  /** After candles from `from` on have changed. Tells from where on the values may be others. */
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
