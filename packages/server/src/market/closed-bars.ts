// The newest closed bars of an instrument in memory, and their JSON, which is created once per bar.
import type { Timeframe } from '@tickwire/contract';
import type { Bar, MarketSymbol } from '@tickwire/engine';

/** Closed bars in memory per symbol and timeframe: somewhat more than one response contains. */
export const KEPT_BARS = 520;

const iso = (time: number): string => new Date(time).toISOString();

/** Without the closing brace, so that fields can be appended. */
const barFields = ({ time, open, high, low, close, volume }: Bar): string =>
  `{"time":"${iso(time)}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}`;

const barJson = (bar: Bar): string => `${barFields(bar)}}`;

/** For `detail=true`. */
const detailedBarJson = (bar: Bar): string =>
  `${barFields(bar)},"bid_volume":${bar.bidVolume},"ask_volume":${bar.askVolume}}`;

export const writerOf = (detail: boolean): ((bar: Bar) => string) => (detail ? detailedBarJson : barJson);

/** Caches the JSON of closed bars in one form. */
class BarJsonCache {
  readonly #write: (bar: Bar) => string;
  #json: (string | undefined)[] = [];
  /** The opening and the newest `count` bars, for the last requested `count`. */
  #head = { count: -1, json: '' };

  constructor(write: (bar: Bar) => string) {
    this.#write = write;
  }

  /** A bar was inserted or replaced at this index; only the newest `kept` bars remain. */
  update(at: number, replaces: boolean, kept: number): void {
    if (at === this.#json.length) this.#json.push(undefined);
    else this.#json.splice(at, replaces ? 1 : 0, undefined);
    if (this.#json.length > kept) this.#json = this.#json.slice(-kept);
    this.#head.count = -1;
  }

  head(opening: string, bars: readonly Bar[], count: number): string {
    if (this.#head.count !== count) {
      const first = Math.max(0, bars.length - count);
      for (let at = first; at < bars.length; at++) this.#json[at] ??= this.#write(bars[at]!);
      this.#head = { count, json: opening + this.#json.slice(first).join(',') };
    }
    return this.#head.json;
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
  #bars: Bar[] = [];

  constructor(symbol: MarketSymbol, timeframe: Timeframe) {
    this.opening = `{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":[`;
  }

  put(bar: Bar): void {
    this.version++;
    let at = this.#bars.length;
    while (at > 0 && this.#bars[at - 1]!.time > bar.time) at--;
    const replaces = this.#bars[at - 1]?.time === bar.time;
    if (replaces) at--;
    // Usually it is the newest.
    if (at === this.#bars.length) this.#bars.push(bar);
    else this.#bars.splice(at, replaces ? 1 : 0, bar);
    if (this.#bars.length > KEPT_BARS + 100) this.#bars = this.#bars.slice(-KEPT_BARS);
    this.#basic.update(at, replaces, this.#bars.length);
    this.#detailed.update(at, replaces, this.#bars.length);
  }

  /** A market response up to its last closed bar, with the newest `count`. */
  head(count: number, detail: boolean): string {
    return (detail ? this.#detailed : this.#basic).head(this.opening, this.#bars, count);
  }

  all(): readonly Bar[] {
    return this.#bars;
  }
}
