// The bars on the chart: loaded from history, moved on by the service's live bars or by prices, set right again by a fresh
// tail of history, and lengthened to the back page by page. It remembers what has changed, so that only that is drawn.
import type { BarMessage, OhlcvBar, OhlcvBarDetail, Timeframe } from '@tickwire/client';

export interface Candle {
  /** Start of the bar, milliseconds since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface ChartCandle extends Candle {
  /** What sellers took at the bid, and buyers at the ask. 0 without trades. */
  readonly bidVolume: number;
  readonly askVolume: number;
}

/** What is to be drawn: everything, or the candles from an index on. */
export interface Changes {
  readonly all: boolean;
  /** As many as there are candles where nothing has changed. */
  readonly from: number;
}

export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};
export const TIMEFRAMES = Object.keys(TIMEFRAME_MS) as Timeframe[];

/** The most that is kept: who scrolls back further is told so, and a page left open for days lets the oldest go. */
export const MOST_CANDLES = 20_000;
/** Let go at once, since all that is left is drawn anew. */
const LET_GO = 500;

const candleOf = ({ time, open, high, low, close, volume, ...detail }: OhlcvBar | OhlcvBarDetail): ChartCandle => {
  const { bid_volume: bidVolume = 0, ask_volume: askVolume = 0 } = detail as Partial<OhlcvBarDetail>;
  return { time: Date.parse(time), open, high, low, close, volume, bidVolume, askVolume };
};

const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume', 'bidVolume', 'askVolume'] as const;
const same = (one: ChartCandle | undefined, other: ChartCandle): boolean =>
  one !== undefined && FIELDS.every((field) => one[field] === other[field]);

/** Open of the day that begins at `midnight`; null where the bars do not reach back to it. */
export function openOfDay(candles: readonly Candle[], midnight: number): number | null {
  const oldest = candles[0];
  if (!oldest || oldest.time > midnight) return null;
  return candles.find((candle) => candle.time >= midnight)?.open ?? null;
}

export class BarSeries {
  readonly intervalMs: number;
  #candles: ChartCandle[];
  #all = true;
  #from = 0;
  /** The bar that the service itself tells as it forms: of two, that with more volume is the newer. */
  #told = Number.NEGATIVE_INFINITY;
  /** What was taken in an interval whose bar has not begun yet. */
  #ahead = { time: Number.NEGATIVE_INFINITY, bidVolume: 0, askVolume: 0 };

  constructor(timeframe: Timeframe, bars: readonly (OhlcvBar | OhlcvBarDetail)[]) {
    this.intervalMs = TIMEFRAME_MS[timeframe];
    this.#candles = bars.map(candleOf);
  }

  get candles(): readonly ChartCandle[] {
    return this.#candles;
  }

  get full(): boolean {
    return this.#candles.length >= MOST_CANDLES;
  }

  /** What has changed since this was last asked. */
  changes(): Changes {
    const changes = { all: this.#all, from: this.#all ? 0 : Math.min(this.#from, this.#candles.length) };
    this.#all = false;
    this.#from = Number.POSITIVE_INFINITY;
    return changes;
  }

  /** All is to be drawn again, as for another surface. */
  forgetDrawn(): void {
    this.#all = true;
  }

  /** Puts the newest bars of the service in place of what was guessed. False where they do not join on to these. */
  join(tail: readonly (OhlcvBar | OhlcvBarDetail)[]): boolean {
    const fresh = tail.map(candleOf);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return true;
    const at = this.#candles.findLastIndex((candle) => candle.time === first.time);
    if (at < 0) return false;
    const known = this.#candles.slice(at);
    // A bar that has begun since the answer was given stays.
    const newer = known.filter((candle) => candle.time > last.time);
    const joined = [...fresh.map((candle) => this.#newerOf(candle, known)), ...newer];
    const changed = joined.findIndex((candle, index) => !same(known[index], candle));
    if (changed < 0 && joined.length === known.length) return true;
    // Fewer bars than were guessed: the drawn ones behind must go, too.
    if (
      joined.length < known.length ||
      joined.some((candle, index) => known[index]?.time !== candle.time && known[index])
    )
      this.#all = true;
    this.#candles.splice(at, Number.POSITIVE_INFINITY, ...joined);
    this.#touch(at + Math.max(0, changed));
    this.#bound();
    return true;
  }

  /** Puts older bars in front, as many as there is room for, and tells how many. */
  putInFront(older: readonly (OhlcvBar | OhlcvBarDetail)[]): number {
    const oldest = this.#candles[0]?.time ?? Number.POSITIVE_INFINITY;
    const room = MOST_CANDLES - this.#candles.length;
    const fresh = older.map(candleOf).filter((candle) => candle.time < oldest);
    const added = room > 0 ? fresh.slice(-room) : [];
    if (added.length === 0) return 0;
    this.#candles = [...added, ...this.#candles];
    this.#all = true;
    return added.length;
  }

  /** Lets the oldest go, down to so many. */
  trim(most: number): boolean {
    if (this.#candles.length <= most) return false;
    this.#candles = this.#candles.slice(-most);
    this.#all = true;
    return true;
  }

  /** A bar as the service tells it, forming, closed or corrected. It has no taker volumes: those that are known stay. */
  tell({ time, open, high, low, close, volume }: BarMessage): boolean {
    const bar = { time: time * 1_000, open, high, low, close, volume };
    const last = this.#candles.at(-1);
    if (!last || bar.time > last.time) this.#begin({ ...bar, bidVolume: 0, askVolume: 0 });
    else {
      const at = this.#candles.findLastIndex((candle) => candle.time === bar.time);
      if (at < 0) return false;
      this.#candles[at] = { ...this.#candles[at]!, ...bar };
      this.#touch(at);
    }
    this.#told = Math.max(this.#told, bar.time);
    return true;
  }

  /** Moves the forming bar by a price, or begins the next one. Nothing older than the forming bar is touched. */
  move(price: number, timeMs: number, volume: number): boolean {
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

  /** What was taken at the bid and at the ask, for the forming bar or the one about to begin. */
  take(bidVolume: number, askVolume: number, timeMs: number): boolean {
    const last = this.#candles.at(-1);
    const start = this.#startOf(timeMs);
    if (!last || start < last.time || bidVolume + askVolume === 0) return false;
    if (start > last.time) {
      const before = this.#ahead.time === start ? this.#ahead : { bidVolume: 0, askVolume: 0 };
      this.#ahead = {
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
    return Math.floor(timeMs / this.intervalMs) * this.intervalMs;
  }

  #begin(candle: ChartCandle): void {
    const { time, bidVolume, askVolume } = this.#ahead;
    this.#candles.push(time === candle.time ? { ...candle, bidVolume, askVolume } : candle);
    this.#touch(this.#candles.length - 1);
    this.#bound();
  }

  /** The answer, or the bar at hand where the service has told more of it since the answer was given. */
  #newerOf(fresh: ChartCandle, known: readonly ChartCandle[]): ChartCandle {
    if (fresh.time !== this.#told) return fresh;
    const told = known.find((candle) => candle.time === fresh.time);
    if (!told || told.volume <= fresh.volume) return fresh;
    return {
      ...told,
      bidVolume: Math.max(told.bidVolume, fresh.bidVolume),
      askVolume: Math.max(told.askVolume, fresh.askVolume),
    };
  }

  #touch(index: number): void {
    this.#from = Math.min(this.#from, index);
  }

  #bound(): void {
    if (this.#candles.length > MOST_CANDLES) this.trim(MOST_CANDLES - LET_GO);
  }
}
