// Bars of one instrument in six timeframes, by event time, aligned to UTC.
//
// A tick changes only the one-minute bar. Longer bars are aggregated from minutes, so the two can never disagree. A bar
// closes when the clock, or a tick of a later minute, reaches its end.
//
// Prices: trades, with the traded size as volume, if the instrument's feed has them (`trades`); the bid, with the bid size
// (or 1) as volume, if it has not (`quotes`). If neither is declared: trades from the minute of the first one on, bids
// before. A bar that has both kinds of minutes counts only those with trades. Every trade of a minute that has a bar counts
// in bidVolume and askVolume.
//
// A late tick is one whose minute has closed. Up to LATE_WINDOW_MS behind, it amends its closed bars: high, low and volume
// always, open and close if it is the earliest or latest by time. Later than that, it is counted and changes no bar.
//
// Volume at price follows the same rules: a trade counts in the histogram of its minute if it counts in the bar.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { addBar, addFlowVolume, addPrice, type BarAccumulator, emptyBar, reopenBar, toBar } from './bar-accumulator.ts';
import type { Bar, BarBasis, BarEvent, Side, SideMethod } from './events.ts';
import type { BarSource, MarketSymbol } from './instrument.ts';
import type { MinuteHistograms } from './minute-histograms.ts';
import { type EpochMs, MINUTE_MS } from './time.ts';
import type { MinuteHistogram } from './volume-level.ts';

export const LATE_WINDOW_MS = 600_000;
const LONGER = TIMEFRAMES.slice(1) as Exclude<Timeframe, '1m'>[];

const bucketOf = (time: number, length: number): number => time - (time % length);

export type BarHistory = Partial<Record<Timeframe, readonly Bar[]>>;

/** The bars that ended by `time`. `bars` must be ascending. */
export const endedBy = (bars: readonly Bar[], timeframe: Timeframe, time: number): readonly Bar[] =>
  bars.slice(0, bars.findLastIndex((bar) => bar.time + TIMEFRAME_MS[timeframe] <= time) + 1);

export class BarSeries {
  /** Ticks that arrived too late to amend a bar. */
  lateTicks = 0;
  readonly #symbol: MarketSymbol;
  readonly #emit: (event: BarEvent) => void;
  readonly #countsTrades: boolean;
  readonly #histograms: MinuteHistograms | null;
  #minute = emptyBar(0);
  /** Start of the first minute from which quotes do not count. */
  #tradesFrom: number;
  readonly #longer = new Map<Timeframe, BarAccumulator>(LONGER.map((timeframe) => [timeframe, emptyBar(0)]));
  /** Closed bars that a late tick can amend, oldest first. */
  readonly #closed = new Map<Timeframe, BarAccumulator[]>(TIMEFRAMES.map((timeframe) => [timeframe, []]));

  /** `histograms`: where volume at price is kept, by the rules of the bars. */
  constructor(
    symbol: MarketSymbol,
    emit: (event: BarEvent) => void,
    bars?: BarSource,
    histograms: MinuteHistograms | null = null,
  ) {
    this.#symbol = symbol;
    this.#emit = emit;
    this.#histograms = histograms;
    this.#countsTrades = bars !== 'quotes';
    this.#tradesFrom = bars === 'trades' ? 0 : Number.POSITIVE_INFINITY;
  }

  quote(time: number, bid: number, size: number): void {
    const start = bucketOf(time, MINUTE_MS);
    if (start > this.#minute.start) this.#roll(start);
    if (start >= this.#tradesFrom) return;
    if (start < this.#minute.start) this.#amend(start, time, bid, size || 1, 'bid', null);
    else addPrice(this.#minute, time, bid, size || 1, 'bid');
  }

  trade(time: number, price: number, size: number, side: Side, sideMethod: SideMethod | null = null): void {
    const start = bucketOf(time, MINUTE_MS);
    if (start > this.#minute.start) this.#roll(start);
    if (start >= this.#minute.start - LATE_WINDOW_MS) this.#histograms?.trade(start, price, size, side, sideMethod);
    this.#countTradesFrom(start);
    if (start < this.#minute.start) {
      this.#amend(start, time, this.#countsTrades ? price : null, size, 'trade', side);
      return;
    }
    if (this.#countsTrades) addPrice(this.#minute, time, price, size, 'trade');
    addFlowVolume(this.#minute, size, side);
  }

  /**
   * Adds a minute that is known only as a bar. Ignored if the minute has a price from ticks, if the bar is partial, or if it
   * is made of bids and the instrument has trades.
   */
  addMinuteBar(bar: Bar): void {
    if (bar.partial || (bar.basis === 'bid' && bar.time >= this.#tradesFrom)) return;
    if (bar.time < this.#minute.start) {
      this.#insert(bar);
      return;
    }
    if (bar.time > this.#minute.start) this.#roll(bar.time);
    if (this.#minute.priced) return;
    this.#minute = reopenBar(bar, bar.time, bar.time + MINUTE_MS - 1);
    if (bar.basis === 'trade') this.#countTradesFrom(bar.time);
  }

  /** Closes every bar that ends at or before `time`. */
  advance(time: number): void {
    const start = bucketOf(time, MINUTE_MS);
    if (start > this.#minute.start) this.#roll(start);
  }

  /** The bar of the current interval, or `null` if it has no price yet. */
  forming(timeframe: Timeframe): Bar | null {
    const minute = this.#minute;
    if (timeframe === '1m') return minute.priced ? toBar(minute) : null;
    const accumulator = this.#longer.get(timeframe)!;
    if (!minute.priced) return accumulator.priced ? toBar(accumulator) : null;
    const merged = accumulator.priced ? { ...accumulator } : emptyBar(bucketOf(minute.start, TIMEFRAME_MS[timeframe]));
    addBar(merged, minute, minute.start, minute.start);
    return toBar(merged);
  }

  /**
   * Resumes at `from` (the start of a minute), given the closed bars before it in ascending order, and the volume at price of
   * the last minutes before it.
   */
  restore(history: BarHistory, from: EpochMs, histograms: readonly MinuteHistogram[] = []): void {
    this.#minute = emptyBar(from);
    this.#histograms?.restore(histograms);
    this.#resume(history, from);
  }

  /**
   * Takes closed bars of the past. If some of them are in the current day, the history must have all closed bars of the forming
   * ones, and all that a late tick can amend.
   */
  addHistory(history: BarHistory): void {
    const { start } = this.#minute;
    const day = bucketOf(start, TIMEFRAME_MS['1d']);
    if (TIMEFRAMES.some((timeframe) => (history[timeframe]?.at(-1)?.time ?? 0) >= day)) this.#resume(history, start);
  }

  /** Makes the closed and the forming bars at the start of a minute. */
  #resume(history: BarHistory, from: number): void {
    let shorter: BarAccumulator | undefined;
    let shorterTimeframe: Timeframe = '1m';
    for (const timeframe of TIMEFRAMES) {
      const bars = endedBy(history[timeframe] ?? [], timeframe, from);
      const recent = bars.slice(endedBy(bars, timeframe, from - LATE_WINDOW_MS).length);
      // The times that set open and close are not stored. Assume the edges of the bar, so that no late tick replaces them.
      this.#closed.set(
        timeframe,
        recent.map((bar) => reopenBar(bar, bar.time, bar.time + TIMEFRAME_MS[timeframe] - 1)),
      );
      if (bars.at(-1)?.basis === 'trade') this.#countTradesFrom(0);
      if (timeframe !== '1m') {
        const accumulator = emptyBar(bucketOf(from, TIMEFRAME_MS[timeframe]));
        const length = TIMEFRAME_MS[shorterTimeframe];
        const parts = endedBy(history[shorterTimeframe] ?? [], shorterTimeframe, from);
        for (const bar of parts.slice(parts.findLastIndex(({ time }) => time < accumulator.start) + 1))
          addBar(accumulator, bar, bar.time, bar.time + length - MINUTE_MS);
        if (shorter?.priced) addBar(accumulator, shorter, shorter.openAt, shorter.closeAt);
        this.#longer.set(timeframe, accumulator);
        shorter = accumulator;
      }
      shorterTimeframe = timeframe;
    }
  }

  #countTradesFrom(start: number): void {
    if (this.#countsTrades && start < this.#tradesFrom) this.#tradesFrom = start;
  }

  #roll(start: number): void {
    const ended = this.#minute;
    if (ended.priced) {
      for (const timeframe of LONGER) {
        const accumulator = this.#longer.get(timeframe)!;
        if (!accumulator.priced) accumulator.start = bucketOf(ended.start, TIMEFRAME_MS[timeframe]);
        addBar(accumulator, ended, ended.start, ended.start);
      }
      this.#close('1m', ended);
    } else this.#histograms?.forget(ended.start);
    this.#minute = emptyBar(start);
    for (const timeframe of LONGER) {
      const accumulator = this.#longer.get(timeframe)!;
      if (!accumulator.priced || accumulator.start + TIMEFRAME_MS[timeframe] > start) continue;
      this.#longer.set(timeframe, emptyBar(bucketOf(start, TIMEFRAME_MS[timeframe])));
      this.#close(timeframe, accumulator);
    }
  }

  #close(timeframe: Timeframe, accumulator: BarAccumulator): void {
    const closed = this.#closed.get(timeframe)!;
    closed.push(accumulator);
    const horizon = this.#minute.start - LATE_WINDOW_MS - TIMEFRAME_MS[timeframe];
    while (closed.length > 0 && closed[0]!.start < horizon) closed.shift();
    this.#publish(timeframe, accumulator, false);
  }

  #publish(timeframe: Timeframe, accumulator: BarAccumulator, amended: boolean): void {
    this.#emit({ kind: 'bar', symbol: this.#symbol, timeframe, bar: toBar(accumulator), amended });
  }

  #amend(start: number, time: number, price: number | null, size: number, basis: BarBasis, side: Side | null): void {
    if (start < this.#minute.start - LATE_WINDOW_MS) {
      this.lateTicks++;
      return;
    }
    const minute = this.#closedBar('1m', start);
    if (price !== null) addPrice(minute, time, price, size, basis);
    if (side) addFlowVolume(minute, size, side);
    if (!minute.priced) return;
    this.#publish('1m', minute, true);
    for (const timeframe of LONGER) {
      const bucket = bucketOf(start, TIMEFRAME_MS[timeframe]);
      const forming = bucket === bucketOf(this.#minute.start, TIMEFRAME_MS[timeframe]);
      const accumulator = forming ? this.#longer.get(timeframe)! : this.#closedBar(timeframe, bucket);
      if (!accumulator.priced) accumulator.start = bucket;
      if (price !== null) addPrice(accumulator, start, price, size, basis);
      if (accumulator.basis !== minute.basis) continue;
      if (price !== null) {
        // The late tick may be neither first nor last within its own minute, so take both prices from the minute.
        if (accumulator.openAt === start) accumulator.open = minute.open;
        if (accumulator.closeAt === start) accumulator.close = minute.close;
      }
      if (side) addFlowVolume(accumulator, size, side);
      if (!forming) this.#publish(timeframe, accumulator, true);
    }
  }

  /** Inserts a late minute bar if that minute has no bar yet. */
  #insert(bar: Bar): void {
    if (bar.time < this.#minute.start - LATE_WINDOW_MS) {
      this.lateTicks++;
      return;
    }
    const minute = this.#closedBar('1m', bar.time);
    if (minute.priced) return;
    Object.assign(minute, reopenBar(bar, bar.time, bar.time + MINUTE_MS - 1));
    this.#publish('1m', minute, true);
    for (const timeframe of LONGER) {
      const bucket = bucketOf(bar.time, TIMEFRAME_MS[timeframe]);
      const forming = bucket === bucketOf(this.#minute.start, TIMEFRAME_MS[timeframe]);
      const accumulator = forming ? this.#longer.get(timeframe)! : this.#closedBar(timeframe, bucket);
      if (!accumulator.priced) accumulator.start = bucket;
      addBar(accumulator, bar, bar.time, bar.time);
      if (!forming) this.#publish(timeframe, accumulator, true);
    }
  }

  /** The closed bar that starts at `start`; inserts an empty one if the interval had no bar. */
  #closedBar(timeframe: Timeframe, start: number): BarAccumulator {
    const closed = this.#closed.get(timeframe)!;
    let index = closed.length;
    while (index > 0 && closed[index - 1]!.start > start) index--;
    const found = closed[index - 1];
    if (found?.start === start) return found;
    const inserted = emptyBar(start);
    closed.splice(index, 0, inserted);
    return inserted;
  }
}
