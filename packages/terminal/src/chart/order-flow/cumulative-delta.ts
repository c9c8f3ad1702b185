// Delta: buy volume minus sell volume of a bar. The cumulative delta is its sum since an anchor: 00:00 UTC, like
// `cumulative_delta` of the order flow, Monday 00:00 UTC, the first visible bar, or a chosen bar.
import { DAY_MS, WEEK_MS } from '@tickwire/contract/durations.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { barStart } from '../bars/intervals.ts';

export type Anchor = 'day' | 'week' | 'view' | 'bar';
/** `auto`: the day, or the visible range if a bar is a day or longer. */
export type AnchorChoice = 'auto' | Anchor;

/** The anchor of a chart. A sum that would restart with every bar is the delta itself, so the visible range replaces it. */
export function anchorOf(choice: AnchorChoice, intervalMs: number): Anchor {
  const anchor = choice === 'auto' ? 'day' : choice;
  if (anchor === 'day' && intervalMs >= DAY_MS) return 'view';
  return anchor === 'week' && intervalMs >= WEEK_MS ? 'view' : anchor;
}

/** Start of the day or week of a time, in milliseconds since the epoch. */
export const periodStart = (anchor: 'day' | 'week', time: number): number =>
  barStart(anchor === 'day' ? '1d' : '1w', time);

/** The title of its pane; of an empty one, it says why. */
export function sinceText(anchor: 'day' | 'week', sums: readonly (number | null)[]): string {
  const text = `Cumulative delta since ${anchor === 'day' ? '' : 'Monday '}00:00 UTC`;
  return sums.length === 0 || sums.some((sum) => sum !== null) ? text : `${text}: scroll back to its start`;
}

export const deltaOf = ({ bidVolume, askVolume }: ChartCandle): number => askVolume - bidVolume;

/** Cumulative delta of the day, as reported by the order flow. */
export interface DayFigure {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: number;
}

/**
 * Cumulative delta of the day at the start of the first bar, which is rarely midnight. If all bars are of today, it follows from
 * the service's figure; otherwise it is unknown, unless the bars are the whole history.
 */
export function openingOf(
  candles: readonly ChartCandle[],
  today: DayFigure | null,
  wholeHistory: boolean,
): number | null {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return null;
  const day = periodStart('day', last.time);
  if (first.time % DAY_MS === 0) return 0;
  const isToday = today && first.time >= day && periodStart('day', today.time) === day;
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

/** Where the sums begin. */
export interface SumStart {
  readonly anchor: Anchor;
  /** Of the day or week: the sum at the start of the first bar; `null` if it is unknown. */
  readonly opening: number | null;
  /** Of the visible range or a chosen bar: the index of the first bar that counts; `null` if it is not loaded. */
  readonly first: number | null;
}

export class CumulativeDelta {
  #values: (number | null)[] = [];
  #start: SumStart = { anchor: 'day', opening: null, first: null };

  /** `null` before the first bar that counts, and in a first period whose start is unknown. */
  get values(): readonly (number | null)[] {
    return this.#values;
  }

  /** Called after candles from `from` on have changed. Returns the index of the first value that may have changed. */
  update(candles: readonly ChartCandle[], from: number, start: SumStart): number {
    const before = this.#start;
    const same = before.anchor === start.anchor && before.opening === start.opening && before.first === start.first;
    const begin = same ? Math.min(this.#values.length, from) : 0;
    this.#start = start;
    this.#values.length = begin;
    for (let at = begin; at < candles.length; at++) {
      const sum = this.#before(candles, at);
      this.#values.push(sum === null ? null : sum + deltaOf(candles[at]!));
    }
    return begin;
  }

  /** Whether a new sum begins with this bar, so that no line leads to it. */
  restartsAt(candles: readonly ChartCandle[], at: number): boolean {
    const { anchor } = this.#start;
    const [candle, before] = [candles[at], candles[at - 1]];
    if ((anchor !== 'day' && anchor !== 'week') || !candle || !before) return false;
    return periodStart(anchor, before.time) !== periodStart(anchor, candle.time);
  }

  /** The sum before a bar; `null` if the bar has none. */
  #before(candles: readonly ChartCandle[], at: number): number | null {
    const { anchor, opening, first } = this.#start;
    if (anchor === 'view' || anchor === 'bar') {
      if (first === null || at < first) return null;
      return at === first ? 0 : this.#values[at - 1]!;
    }
    if (at === 0) return opening;
    return this.restartsAt(candles, at) ? 0 : this.#values[at - 1]!;
  }
}
