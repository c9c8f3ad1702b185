// Ticks of all instruments in one unit of time (125 ms), stored in columns and sorted by time. An instrument adds its ticks in
// ascending time; the order is by millisecond, then by instrument, then as added.
import type { EpochMs, InstrumentSpec, PriceEvent } from '@tickwire/engine';
import { UNIT_MS } from './time-grid.ts';

const QUOTE = 0;
const SELL = 1;
const BUY = 2;

/** Divisors that convert whole price ticks and size steps to prices and sizes. */
export interface Scales {
  readonly spec: InstrumentSpec;
  readonly tickScale: number;
  readonly sizeScale: number;
}

export class TickBuffer {
  count = 0;
  readonly #scales: readonly Scales[];
  readonly #kind: Uint8Array;
  readonly #instrument: Uint16Array;
  /** Milliseconds since the start of the unit. */
  readonly #offset: Uint8Array;
  /** Bid or trade price, and ask, in ticks; bid or trade size, and ask size, in steps. */
  readonly #price: Float64Array;
  readonly #ask: Float64Array;
  readonly #size: Float64Array;
  readonly #askSize: Float64Array;
  readonly #order: Uint32Array;
  /** Index in the order where each millisecond starts, plus one entry for the end. */
  readonly #starts = new Uint32Array(UNIT_MS + 1);

  constructor(scales: readonly Scales[], capacity: number) {
    this.#scales = scales;
    this.#kind = new Uint8Array(capacity);
    this.#instrument = new Uint16Array(capacity);
    this.#offset = new Uint8Array(capacity);
    this.#price = new Float64Array(capacity);
    this.#ask = new Float64Array(capacity);
    this.#size = new Float64Array(capacity);
    this.#askSize = new Float64Array(capacity);
    this.#order = new Uint32Array(capacity);
  }

  addQuote(instrument: number, offset: number, bid: number, ask: number, bidSize: number, askSize: number): void {
    const at = this.count++;
    this.#kind[at] = QUOTE;
    this.#instrument[at] = instrument;
    this.#offset[at] = offset;
    this.#price[at] = bid;
    this.#ask[at] = ask;
    this.#size[at] = bidSize;
    this.#askSize[at] = askSize;
  }

  addTrade(instrument: number, offset: number, price: number, size: number, buys: boolean): void {
    const at = this.count++;
    this.#kind[at] = buys ? BUY : SELL;
    this.#instrument[at] = instrument;
    this.#offset[at] = offset;
    this.#price[at] = price;
    this.#size[at] = size;
  }

  /** Stable counting sort by millisecond. */
  sort(): void {
    const starts = this.#starts.fill(0);
    for (let at = 0; at < this.count; at++) starts[this.#offset[at]! + 1]!++;
    for (let ms = 1; ms <= UNIT_MS; ms++) starts[ms]! += starts[ms - 1]!;
    for (let at = 0; at < this.count; at++) this.#order[starts[this.#offset[at]!]!++] = at;
    // Each start has moved to its end, which is the start of the next.
    starts.copyWithin(1, 0, UNIT_MS);
    starts[0] = 0;
  }

  /** Appends the ticks with first ≤ offset < last. `start` is the time at which the unit starts. */
  emit(start: number, first: number, last: number, into: PriceEvent[]): void {
    const end = this.#starts[last]!;
    for (let place = this.#starts[first]!; place < end; place++) {
      const at = this.#order[place]!;
      const { spec, tickScale, sizeScale } = this.#scales[this.#instrument[at]!]!;
      const symbol = spec.symbol;
      const time = (start + this.#offset[at]!) as EpochMs;
      const price = this.#price[at]! / tickScale;
      const size = this.#size[at]! / sizeScale;
      if (this.#kind[at] === QUOTE) {
        const ask = this.#ask[at]! / tickScale;
        into.push({
          kind: 'quote',
          symbol,
          time,
          bid: price,
          ask,
          bidSize: size,
          askSize: this.#askSize[at]! / sizeScale,
        });
      } else {
        const side = this.#kind[at] === BUY ? 'buy' : 'sell';
        into.push({ kind: 'trade', symbol, time, price, size, side, sideMethod: null });
      }
    }
  }
}
