// The newest closed bars of an instrument in memory, and their JSON, which is created once per bar. There are a hundred thousand
// of them, so they are kept as numbers, in one array per timeframe: half the memory of objects, and nothing for the garbage
// collector to visit.
import { iso, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type Bar, hasSides, type MarketSymbol } from '@tickwire/engine';

/** Closed bars in memory per symbol and timeframe: somewhat more than one response contains. */
export const KEPT_BARS = 520;
/** Older ones are dropped once there are this many. */
const MOST_BARS = KEPT_BARS + 100;

/** Without the closing brace, so that fields can be appended. */
const barFields = ({ time, open, high, low, close, volume }: Bar): string =>
  `{"time":"${iso(time)}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}`;

const NO_SIDES = { bidVolume: 0, askVolume: 0 };

const barJson = (bar: Bar): string => `${barFields(bar)}}`;

/** For `detail=true`. Sides that are known for a part of the volume only are written as unknown ones: both 0. */
function detailedBarJson(bar: Bar): string {
  const { bidVolume, askVolume } = hasSides(bar) ? bar : NO_SIDES;
  return `${barFields(bar)},"bid_volume":${bidVolume},"ask_volume":${askVolume}}`;
}

export const writerOf = (detail: boolean): ((bar: Bar) => string) => (detail ? detailedBarJson : barJson);

/** Caches the JSON of closed bars in one form. */
class BarJsonCache {
  readonly #write: (bar: Bar) => string;
  /** Empty until the first request. */
  #json: (string | undefined)[] = [];
  /** The opening and the newest `count` bars, for the last requested `count`. */
  #head = { count: -1, json: '' };

  constructor(write: (bar: Bar) => string) {
    this.#write = write;
  }

  /** A bar was inserted or replaced at this index; only the newest `kept` bars remain. */
  update(at: number, replaces: boolean, kept: number): void {
    this.#head.count = -1;
    if (this.#json.length === 0) return;
    if (at === this.#json.length) this.#json.push(undefined);
    else this.#json.splice(at, replaces ? 1 : 0, undefined);
    if (this.#json.length > kept) this.#json = this.#json.slice(-kept);
  }

  /** All bars were replaced. */
  clear(): void {
    this.#head.count = -1;
    this.#json = [];
  }

  head(opening: string, bars: PackedBars, count: number): string {
    if (this.#head.count !== count) {
      if (this.#json.length === 0) this.#json = Array.from({ length: bars.length });
      const first = Math.max(0, bars.length - count);
      for (let at = first; at < bars.length; at++) this.#json[at] ??= this.#write(bars.at(at));
      this.#head = { count, json: opening + this.#json.slice(first).join(',') };
    }
    return this.#head.json;
  }
}

/** Numbers per bar: its prices and volumes, and its basis and `partial` as bits. */
const WIDTH = 9;
const FLAGS = 8;
const FROM_TRADES = 1;
const PARTIAL = 2;
const INITIAL_CAPACITY = 16;
/** Room for the bars that follow restored ones. */
const SPARE_CAPACITY = MOST_BARS - KEPT_BARS;

class PackedBars {
  length = 0;
  #numbers = new Float64Array(INITIAL_CAPACITY * WIDTH);

  time(index: number): number {
    return this.#numbers[index * WIDTH]!;
  }

  at(index: number): Bar {
    const numbers = this.#numbers;
    const start = index * WIDTH;
    const flags = numbers[start + FLAGS]!;
    return {
      time: asEpochMs(numbers[start]!),
      open: numbers[start + 1]!,
      high: numbers[start + 2]!,
      low: numbers[start + 3]!,
      close: numbers[start + 4]!,
      volume: numbers[start + 5]!,
      bidVolume: numbers[start + 6]!,
      askVolume: numbers[start + 7]!,
      basis: flags & FROM_TRADES ? 'trade' : 'bid',
      ...(flags & PARTIAL && { partial: true }),
    };
  }

  set(index: number, bar: Bar): void {
    const numbers = this.#numbers;
    const start = index * WIDTH;
    numbers[start] = bar.time;
    numbers[start + 1] = bar.open;
    numbers[start + 2] = bar.high;
    numbers[start + 3] = bar.low;
    numbers[start + 4] = bar.close;
    numbers[start + 5] = bar.volume;
    numbers[start + 6] = bar.bidVolume;
    numbers[start + 7] = bar.askVolume;
    numbers[start + FLAGS] = (bar.basis === 'trade' ? FROM_TRADES : 0) | (bar.partial ? PARTIAL : 0);
  }

  /** Replaces all bars. */
  fill(bars: readonly Bar[]): void {
    this.#numbers = new Float64Array(Math.min(bars.length + SPARE_CAPACITY, MOST_BARS) * WIDTH);
    this.length = bars.length;
    for (let index = 0; index < bars.length; index++) this.set(index, bars[index]!);
  }

  /** Makes room for one more bar at this index. */
  insert(index: number): void {
    if ((this.length + 1) * WIDTH > this.#numbers.length) {
      const numbers = new Float64Array(Math.min(this.#numbers.length * 2, MOST_BARS * WIDTH));
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    // Usually it is at the end.
    if (index < this.length) this.#numbers.copyWithin((index + 1) * WIDTH, index * WIDTH, this.length * WIDTH);
    this.length++;
  }

  keepNewest(count: number): void {
    this.#numbers.copyWithin(0, (this.length - count) * WIDTH, this.length * WIDTH);
    this.length = count;
  }
}

/** Closed bars of one timeframe, ascending. */
export class ClosedBars {
  /** Rises whenever a bar is added or replaced. */
  version = 0;
  /** Start of a market response of the timeframe. */
  readonly opening: string;
  readonly #basic = new BarJsonCache(barJson);
  readonly #detailed = new BarJsonCache(detailedBarJson);
  readonly #bars = new PackedBars();

  constructor(symbol: MarketSymbol, timeframe: Timeframe) {
    this.opening = `{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":[`;
  }

  put(bar: Bar): void {
    this.version++;
    const bars = this.#bars;
    let at = bars.length;
    // Usually it is the newest.
    while (at > 0 && bars.time(at - 1) > bar.time) at--;
    const replaces = at > 0 && bars.time(at - 1) === bar.time;
    if (replaces) at--;
    else bars.insert(at);
    bars.set(at, bar);
    if (bars.length === MOST_BARS) bars.keepNewest(KEPT_BARS);
    this.#basic.update(at, replaces, bars.length);
    this.#detailed.update(at, replaces, bars.length);
  }

  /** Adds the bars of an earlier run, given in ascending order. */
  restore(bars: readonly Bar[]): void {
    if (this.#bars.length > 0) {
      for (const bar of bars) this.put(bar);
      return;
    }
    this.version++;
    this.#bars.fill(bars.length < MOST_BARS ? bars : bars.slice(-KEPT_BARS));
    this.#basic.clear();
    this.#detailed.clear();
  }

  /** A market response up to its last closed bar, with the newest `count`. */
  head(count: number, detail: boolean): string {
    return (detail ? this.#detailed : this.#basic).head(this.opening, this.#bars, count);
  }

  /** Ascending. */
  newest(count: number): Bar[] {
    const bars = this.#bars;
    const first = Math.max(0, bars.length - count);
    return Array.from({ length: bars.length - first }, (_, at) => bars.at(first + at));
  }

  /** The bars that start from `from` to `to`, both inclusive. */
  between(from: number, to: number): Bar[] {
    const found: Bar[] = [];
    for (let at = 0; at < this.#bars.length; at++) {
      const time = this.#bars.time(at);
      if (time >= from && time <= to) found.push(this.#bars.at(at));
    }
    return found;
  }
}
