// Bars of intervals whose content is complete, as in imported history: a minute from its ticks, a longer bar from shorter
// ones. Follows the same rules as BarSeries.
import { addBar, addFlowVolume, addPrice, type BarAccumulator, emptyBar, toBar } from './bar-accumulator.ts';
import type { Bar, Side } from './events.ts';

/** Builds one minute at a time: call `begin`, add its ticks in order of arrival, then read `bar`. */
export class MinuteAggregator {
  #accumulator: BarAccumulator = emptyBar(0);
  #countsQuotes = true;

  /** `hasTraded`: the instrument traded in an earlier minute, so quotes no longer count. */
  begin(start: number, hasTraded: boolean): void {
    this.#accumulator = emptyBar(start);
    this.#countsQuotes = !hasTraded;
  }

  quote(time: number, bid: number, size: number): void {
    if (this.#countsQuotes) addPrice(this.#accumulator, time, bid, size || 1, 'bid');
  }

  trade(time: number, price: number, size: number, side: Side): void {
    addPrice(this.#accumulator, time, price, size, 'trade');
    addFlowVolume(this.#accumulator, size, side);
  }

  /** `null` if the minute has no price. */
  bar(): Bar | null {
    return this.#accumulator.priced ? toBar(this.#accumulator) : null;
  }
}

/** Aggregates shorter bars, in ascending order, into the bar that starts at `start`. `null` if there are none. */
export function aggregateBars(start: number, shorter: readonly Bar[]): Bar | null {
  const accumulator = emptyBar(start);
  for (const bar of shorter) addBar(accumulator, bar, bar.time, bar.time);
  return accumulator.priced ? toBar(accumulator) : null;
}
