// Bars of any interval of a chart, made of the bars that are stored.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { addBar, type BarAccumulator, emptyBar, toBar } from './bar-accumulator.ts';
import { type ChartInterval, type DayStart, intervalAt } from './chart-interval.ts';
import type { Bar } from './events.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from './time.ts';
import { ZONE_STEP_MS } from './time-zone.ts';

/** The longest stored bars that make up the interval: none of them lies in two intervals. */
export function storedTimeframe(interval: ChartInterval, { zone }: DayStart): Timeframe {
  const step = zone === 'UTC' ? DAY_MS : zone === 'America/New_York' ? HOUR_MS : ZONE_STEP_MS;
  const length = interval.unit === 'minute' ? interval.minutes * MINUTE_MS : DAY_MS;
  const fits = (timeframe: Timeframe): boolean =>
    length % TIMEFRAME_MS[timeframe] === 0 && step % TIMEFRAME_MS[timeframe] === 0;
  return TIMEFRAMES.toReversed().find(fits)!;
}

/** Collects stored bars, in ascending order, into those of a chart. */
export class ChartBars {
  readonly #interval: ChartInterval;
  readonly #day: DayStart;
  #forming: BarAccumulator | null = null;
  #end = Number.NEGATIVE_INFINITY as EpochMs;

  constructor(interval: ChartInterval, day: DayStart) {
    this.#interval = interval;
    this.#day = day;
  }

  /** Adds a bar. Returns the one before, if the added bar is in a later interval. */
  add(bar: Bar): Bar | null {
    let closed: Bar | null = null;
    if (bar.time >= this.#end) {
      closed = this.forming;
      const { start, end } = intervalAt(bar.time, this.#interval, this.#day);
      this.#forming = emptyBar(start);
      this.#end = end;
    }
    addBar(this.#forming!, bar, bar.time, bar.time);
    return closed;
  }

  /** The last bar, which more bars may follow into; `null` before the first one. */
  get forming(): Bar | null {
    return this.#forming && toBar(this.#forming);
  }
}
