// The bars of the chart: loaded from history, updated by live bars or prices, corrected by reloading the newest bars, and
// extended into the past page by page. Changes are recorded, so that only changed bars are drawn.
import type { BarMessage, OhlcvBarDetail } from '@tickwire/client';
import type { Candle } from '../../services/candle.ts';
import { decimalsOf } from '../../ui/format.ts';
import type { LoadedBar } from './bar-source.ts';
import { barStart, intervalMsOf } from './intervals.ts';

export interface ChartCandle extends Candle {
  /** Volume sold at the bid and bought at the ask. 0 without trades. */
  readonly bidVolume: number;
  readonly askVolume: number;
}

/** What has to be drawn: everything, or the candles from an index on. */
export interface Changes {
  readonly all: boolean;
  /** The number of candles if nothing has changed. */
  readonly from: number;
}

/** Above this number, the oldest bars are dropped. */
export const MAX_CANDLES = 20_000;
/** Number of newest bars whose prices are searched for the decimals. */
const SAMPLE = 50;
/** Dropped at once, because the whole chart has to be drawn again. */
const TRIM_STEP = 500;

const candleOf = ({ time, open, high, low, close, volume, ...detail }: LoadedBar): ChartCandle => {
  const { bid_volume: bidVolume = 0, ask_volume: askVolume = 0 } = detail as Partial<OhlcvBarDetail>;
  return { time: Date.parse(time), open, high, low, close, volume, bidVolume, askVolume };
};

const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume', 'bidVolume', 'askVolume'] as const;
const same = (one: ChartCandle | undefined, other: ChartCandle): boolean =>
  one !== undefined && FIELDS.every((field) => one[field] === other[field]);

export class ChartBars {
  /** Such as `5m`. */
  readonly interval: string;
  readonly intervalMs: number;
  #candles: ChartCandle[];
  #all = true;
  #from = 0;
  /** Time of the newest bar received live. Of two versions of it, the one with more volume is newer. */
  #liveBarTime = Number.NEGATIVE_INFINITY;
  /** Taker volume of an interval whose bar has not begun yet. */
  #early = { time: Number.NEGATIVE_INFINITY, bidVolume: 0, askVolume: 0 };

  /** The last minute that was added to a longer bar, with the volume that the bar has of it. */
  #minute = { time: Number.NEGATIVE_INFINITY, volume: 0 };

  constructor(interval: string, bars: readonly LoadedBar[]) {
    this.interval = interval;
    this.intervalMs = intervalMsOf(interval);
    this.#candles = bars.map(candleOf);
  }

  get candles(): readonly ChartCandle[] {
    return this.#candles;
  }

  /** Decimals of the finest of the newest closes. */
  get digits(): number {
    return this.#candles.slice(-SAMPLE).reduce((most, { close }) => Math.max(most, decimalsOf(close)), 0);
  }

  get full(): boolean {
    return this.#candles.length >= MAX_CANDLES;
  }

  /** Changes since the last call. */
  takeChanges(): Changes {
    const changes = { all: this.#all, from: this.#all ? 0 : Math.min(this.#from, this.#candles.length) };
    this.#all = false;
    this.#from = Number.POSITIVE_INFINITY;
    return changes;
  }

  /** Marks everything as changed. */
  redrawAll(): void {
    this.#all = true;
  }

  /** Corrects the newest bars by loaded ones. False if the two do not overlap. */
  mergeTail(tail: readonly LoadedBar[]): boolean {
    const fresh = tail.map(candleOf);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return true;
    const at = this.#candles.findLastIndex((candle) => candle.time === first.time);
    if (at < 0) return false;
    const known = this.#candles.slice(at);
    // A bar that has begun since the response was sent stays.
    const newer = known.filter((candle) => candle.time > last.time);
    const joined = [...fresh.map((candle) => this.#newerOf(candle, known)), ...newer];
    const changed = joined.findIndex((candle, index) => !same(known[index], candle));
    if (changed < 0 && joined.length === known.length) return true;
    // Bars were removed, and an update of the drawing cannot do that.
    if (
      joined.length < known.length ||
      joined.some((candle, index) => known[index]?.time !== candle.time && known[index])
    )
      this.#all = true;
    this.#candles.splice(at, Number.POSITIVE_INFINITY, ...joined);
    // The loaded bars may have more of the current minute than was added here.
    this.#minute = { time: Number.NEGATIVE_INFINITY, volume: 0 };
    this.#touch(at + Math.max(0, changed));
    this.#bound();
    return true;
  }

  /** Inserts older bars, as many as there is room for, and returns how many. */
  prepend(older: readonly LoadedBar[]): number {
    const oldest = this.#candles[0]?.time ?? Number.POSITIVE_INFINITY;
    const room = MAX_CANDLES - this.#candles.length;
    const fresh = older.map(candleOf).filter((candle) => candle.time < oldest);
    const added = room > 0 ? fresh.slice(-room) : [];
    if (added.length === 0) return 0;
    this.#candles = [...added, ...this.#candles];
    this.#all = true;
    return added.length;
  }

  /** Drops the oldest bars above a number. */
  trim(most: number): boolean {
    if (this.#candles.length <= most) return false;
    this.#candles = this.#candles.slice(-most);
    this.#all = true;
    return true;
  }

  /** Applies a live bar: forming, closed or corrected. It has no taker volumes, so the known ones stay. */
  applyBar({ time, open, high, low, close, volume }: BarMessage): boolean {
    const bar = { time: time * 1_000, open, high, low, close, volume };
    const last = this.#candles.at(-1);
    if (!last || bar.time > last.time) this.#begin({ ...bar, bidVolume: 0, askVolume: 0 });
    else {
      const at = this.#candles.findLastIndex((candle) => candle.time === bar.time);
      if (at < 0) return false;
      this.#candles[at] = { ...this.#candles[at]!, ...bar };
      this.#touch(at);
    }
    this.#liveBarTime = Math.max(this.#liveBarTime, bar.time);
    return true;
  }

  /**
   * Adds a live bar of one minute to the forming bar, or begins the next one. What the forming bar has of that minute's volume is
   * known only if the minute began here; otherwise it counts as complete until the bars are loaded again.
   */
  applyMinute({ time, open, high, low, close, volume }: BarMessage): boolean {
    const minute = time * 1_000;
    const start = this.#startOf(minute);
    const last = this.#candles.at(-1);
    if (last && (start < last.time || minute < this.#minute.time)) return false;
    if (!last || start > last.time) {
      this.#begin({ time: start, open, high, low, close, volume, bidVolume: 0, askVolume: 0 });
      this.#minute = { time: minute, volume };
    } else {
      // A minute that follows the one before was not in the loaded bar.
      const isNext = minute > this.#minute.time && Number.isFinite(this.#minute.time);
      const counted = minute === this.#minute.time ? this.#minute.volume : isNext ? 0 : volume;
      this.#candles[this.#candles.length - 1] = {
        ...last,
        high: Math.max(last.high, high),
        low: Math.min(last.low, low),
        close,
        volume: last.volume + Math.max(0, volume - counted),
      };
      this.#minute = { time: minute, volume };
      this.#touch(this.#candles.length - 1);
    }
    this.#liveBarTime = Math.max(this.#liveBarTime, start);
    return true;
  }

  /** Updates the forming bar by a price, or begins the next one. Older bars do not change. */
  applyPrice(price: number, timeMs: number, volume: number): boolean {
    const last = this.#candles.at(-1);
    const start = this.#startOf(timeMs);
    if (last && start < last.time) return false;
    if (!last || start > last.time) {
      const prices = { open: price, high: price, low: price, close: price };
      this.#begin({ time: start, ...prices, volume, bidVolume: 0, askVolume: 0 });
      return true;
    }
    this.#candles[this.#candles.length - 1] = {
      ...last,
      high: Math.max(last.high, price),
      low: Math.min(last.low, price),
      close: price,
      volume: last.volume + volume,
    };
    this.#touch(this.#candles.length - 1);
    return true;
  }

  /** Adds taker volume to the forming bar or the next one. */
  applyTakerVolume(bidVolume: number, askVolume: number, timeMs: number): boolean {
    const last = this.#candles.at(-1);
    const start = this.#startOf(timeMs);
    if (!last || start < last.time || bidVolume + askVolume === 0) return false;
    if (start > last.time) {
      const before = this.#early.time === start ? this.#early : { bidVolume: 0, askVolume: 0 };
      this.#early = {
        time: start,
        bidVolume: before.bidVolume + bidVolume,
        askVolume: before.askVolume + askVolume,
      };
      return false;
    }
    const taken = { bidVolume: last.bidVolume + bidVolume, askVolume: last.askVolume + askVolume };
    this.#candles[this.#candles.length - 1] = { ...last, ...taken };
    this.#touch(this.#candles.length - 1);
    return true;
  }

  #startOf(timeMs: number): number {
    return barStart(this.interval, timeMs);
  }

  #begin(candle: ChartCandle): void {
    const { time, bidVolume, askVolume } = this.#early;
    this.#candles.push(time === candle.time ? { ...candle, bidVolume, askVolume } : candle);
    this.#touch(this.#candles.length - 1);
    this.#bound();
  }

  /** The loaded bar, or the known one if it was updated live after the response was sent. */
  #newerOf(fresh: ChartCandle, known: readonly ChartCandle[]): ChartCandle {
    if (fresh.time !== this.#liveBarTime) return fresh;
    const live = known.find((candle) => candle.time === fresh.time);
    if (!live || live.volume <= fresh.volume) return fresh;
    return {
      ...live,
      bidVolume: Math.max(live.bidVolume, fresh.bidVolume),
      askVolume: Math.max(live.askVolume, fresh.askVolume),
    };
  }

  #touch(index: number): void {
    this.#from = Math.min(this.#from, index);
  }

  #bound(): void {
    if (this.#candles.length > MAX_CANDLES) this.trim(MAX_CANDLES - TRIM_STEP);
  }
}
