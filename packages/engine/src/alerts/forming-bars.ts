// The forming bars of one instrument that alerts look at. Trades are only summed up, and the sums compared with the next levels:
// the bars get them when one of these is reached, or when an alert looks at them.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import type { Bar, FlowEvent } from '../market/events.ts';
import { FormingBar, type SavedFormingBar, sizeUnits } from './forming-bar.ts';

/** Units of a size of 1. */
const UNITS = sizeUnits(1);

export class FormingBars {
  /** The shortest first. */
  bars: readonly FormingBar[] = [];
  isUsed = false;
  /** Earliest end of a bar. */
  rollAt = Number.POSITIVE_INFINITY;
  /** Latest start of a bar: an earlier trade does not belong to all of them. */
  start = Number.NEGATIVE_INFINITY;
  /** Trades that the bars have not got yet: sums, and time of the newest. */
  volume = 0;
  delta = 0;
  newest = 0;
  /** Sums that reach a level. */
  volumeAbove = Number.POSITIVE_INFINITY;
  deltaAbove = Number.POSITIVE_INFINITY;
  deltaBelow = Number.NEGATIVE_INFINITY;

  find(interval: Timeframe): FormingBar | undefined {
    return this.bars.find((bar) => bar.interval === interval);
  }

  /** `forming`: the bar so far, with the time of the newest trade. */
  open(interval: Timeframe, forming: Bar | null, traded: number): FormingBar {
    this.settle();
    const bar = new FormingBar(interval, this.#settleNext);
    if (forming) bar.resume(forming, traded);
    this.bars = [...this.bars, bar].sort((a, b) => TIMEFRAMES.indexOf(a.interval) - TIMEFRAMES.indexOf(b.interval));
    this.#setTimes();
    return bar;
  }

  restore(bar: FormingBar, saved: SavedFormingBar): void {
    bar.restore(saved);
    this.#setTimes();
  }

  drop(interval: Timeframe): void {
    this.settle();
    this.bars = this.bars.filter((bar) => bar.interval !== interval);
    this.#setTimes();
    this.#aim();
  }

  /** Adds any trade. Returns whether a level may have been reached: then call `wake`. */
  addTrade(event: FlowEvent): boolean {
    if (!this.isUsed) return false;
    const { time, size, side } = event;
    const { newest } = this;
    if (time >= this.start) {
      const isReached = this.add(event);
      if (newest > time) this.newest = newest;
      return isReached;
    }
    this.settle();
    const units = sizeUnits(size);
    for (const bar of this.bars) bar.addTrades(time, units, side === 'buy' ? units : -units);
    return true;
  }

  /** Adds the newest trade, which belongs to all bars; otherwise like `addTrade`. */
  add({ time, size, side }: FlowEvent): boolean {
    const units = Math.round(size * UNITS);
    const volume = this.volume + units;
    const delta = side === 'buy' ? this.delta + units : this.delta - units;
    this.volume = volume;
    this.delta = delta;
    this.newest = time;
    return volume >= this.volumeAbove || delta >= this.deltaAbove || delta <= this.deltaBelow;
  }

  addMinute(minute: Bar): void {
    this.settle();
    for (const bar of this.bars) bar.addMinute(minute);
  }

  /** Brings the bars up to date. */
  settle(): void {
    if (this.newest === 0) return;
    for (const bar of this.bars) bar.addTrades(this.newest, this.volume, this.delta);
    this.volume = this.delta = this.newest = 0;
    this.#aim();
  }

  /** Begins new bars at this time, and returns them. */
  roll(time: number): readonly FormingBar[] {
    this.settle();
    const rolled = this.bars.filter((bar) => bar.roll(time));
    this.#setTimes();
    return rolled;
  }

  wake(): void {
    this.settle();
    for (const bar of this.bars) bar.wake();
    this.#aim();
  }

  /** Also called by the streams of the bars. */
  readonly #settleNext = (): void => {
    this.volumeAbove = Number.NEGATIVE_INFINITY;
  };

  #setTimes(): void {
    this.isUsed = this.bars.length > 0;
    this.rollAt = Number.POSITIVE_INFINITY;
    this.start = Number.NEGATIVE_INFINITY;
    for (const { start, end } of this.bars) {
      this.rollAt = Math.min(this.rollAt, end);
      this.start = Math.max(this.start, start);
    }
    this.#settleNext();
  }

  #aim(): void {
    let [volumeAbove, deltaAbove, deltaBelow] = [Infinity, Infinity, -Infinity];
    for (const { volume, delta } of this.bars) {
      // A volume only rises.
      if (volume.value <= volume.below) volumeAbove = Number.NEGATIVE_INFINITY;
      volumeAbove = Math.min(volumeAbove, volume.above - volume.value);
      deltaAbove = Math.min(deltaAbove, delta.above - delta.value);
      deltaBelow = Math.max(deltaBelow, delta.below - delta.value);
    }
    this.volumeAbove = volumeAbove;
    this.deltaAbove = deltaAbove;
    this.deltaBelow = deltaBelow;
  }
}
