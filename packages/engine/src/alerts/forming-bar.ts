// Volume and delta of the forming bar of an interval: the trades whose time lies in it, and backfilled minutes after the
// newest trade. Both are in whole units of 10^-8, so that sums have no floating-point noise.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { Bar } from '../market/events.ts';
import { fromTicks, toTicks } from '../market/price.ts';
import { MINUTE_MS } from '../market/time.ts';
import { ValueStream } from './value-stream.ts';

/** Decimals of sizes that count. */
export const SIZE_DIGITS = 8;

/** Size in units of 10^-8. */
export const sizeUnits = (size: number): number => toTicks(size, SIZE_DIGITS);

export interface SavedFormingBar {
  readonly start: number;
  readonly volume: number;
  readonly delta: number;
  /** Minute of the newest trade, or of the newest minute that was counted. */
  readonly minute: number;
}

export class FormingBar {
  readonly interval: Timeframe;
  readonly volume: ValueStream;
  readonly delta: ValueStream;
  /** Start of the bar; 0 until the first event. */
  start = 0;
  /** Time of the newest trade or counted minute. */
  #newest = 0;

  /** `onWatch`: called when other levels are waited for. */
  constructor(interval: Timeframe, onWatch: () => void) {
    this.interval = interval;
    this.volume = new ValueStream(onWatch);
    this.delta = new ValueStream(onWatch);
    this.volume.value = 0;
    this.delta.value = 0;
  }

  get end(): number {
    return this.start + TIMEFRAME_MS[this.interval];
  }

  /** Minute of the newest trade, or newest minute that was counted. */
  get #minute(): number {
    return this.#newest - (this.#newest % MINUTE_MS);
  }

  /** Begins a new bar if the time is beyond this one. Returns whether it did. */
  roll(time: number): boolean {
    if (time < this.end) return false;
    this.start = time - (time % TIMEFRAME_MS[this.interval]);
    this.volume.value = 0;
    this.delta.value = 0;
    return true;
  }

  /** Trades up to this time; none if it is before the bar. */
  addTrades(time: number, units: number, signedUnits: number): void {
    if (time < this.start) return;
    if (time > this.#newest) this.#newest = time;
    this.volume.value += units;
    this.delta.value += signedUnits;
  }

  addMinute({ time, volume, bidVolume, askVolume, partial, basis }: Bar): void {
    if (partial || basis !== 'trade' || time < this.start || time <= this.#minute) return;
    this.#newest = time;
    this.volume.value += sizeUnits(volume);
    this.delta.value += sizeUnits(askVolume - bidVolume);
  }

  wake(): void {
    this.volume.wake();
    this.delta.wake();
  }

  /** The bar as it is when the first alert looks at it, with the time of the newest trade. */
  resume({ time, volume, askVolume, bidVolume }: Bar, traded: number): void {
    this.start = time;
    if (traded > 0) this.#newest = traded;
    this.#set(volume, askVolume - bidVolume);
  }

  save(): SavedFormingBar {
    const [volume, delta] = [this.volume, this.delta].map(({ value }) => fromTicks(value, SIZE_DIGITS));
    return { start: this.start, volume: volume!, delta: delta!, minute: this.#minute };
  }

  restore({ start, volume, delta, minute }: SavedFormingBar): void {
    this.start = start;
    this.#newest = minute;
    this.#set(volume, delta);
  }

  #set(volume: number, delta: number): void {
    this.volume.value = sizeUnits(volume);
    this.delta.value = sizeUnits(delta);
  }
}
