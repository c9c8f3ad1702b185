// Ring buffers of the newest messages, for clients that resume. Ticks and order flow are stored in columns of numbers, which
// cost the garbage collector nothing; their text is encoded again when a client needs it.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import type { Bar, FlowEvent, MarketSymbol, Side, SideMethod, TickEvent } from '@tickwire/engine';
import { barBody, flowBody, tickBody } from './encode.ts';

/** Positions of entries only rise; the newest `capacity` entries are kept. */
export class Ring {
  readonly capacity: number;
  /** Everything with a higher `seq` is still here. */
  lostUntil: number;
  end = 0;
  readonly #seqs: Float64Array;
  /** Slot of the next entry. */
  #slot = 0;
  /** Position of the first entry after `forget`. */
  #firstValid = 0;

  /** `lostUntil` is the newest `seq` before the first entry; 0 if the epoch starts with the ring. */
  constructor(capacity: number, lostUntil = 0) {
    this.capacity = capacity;
    this.lostUntil = lostUntil;
    this.#seqs = new Float64Array(capacity);
  }

  get start(): number {
    return Math.max(this.#firstValid, this.end - this.capacity);
  }

  /** Drops all entries, because those that follow do not continue them: everything up to `seq` counts as lost. */
  forget(seq: number): void {
    this.lostUntil = seq;
    this.#firstValid = this.end;
  }

  seqAt(position: number): number {
    return this.#seqs[position % this.capacity]!;
  }

  /** Position of the first entry after `seq`; `end` if there is none. */
  firstAfter(seq: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.seqAt(middle) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Adds an entry and returns its slot in the columns. */
  protected claim(seq: number): number {
    const slot = this.#slot;
    this.#slot = slot + 1 === this.capacity ? 0 : slot + 1;
    if (this.end++ >= this.capacity) this.lostUntil = this.#seqs[slot]!;
    this.#seqs[slot] = seq;
    return slot;
  }
}

/** For few and large items, kept as objects. */
export class EventRing<T> extends Ring {
  readonly #items: T[] = [];

  add(seq: number, item: T): void {
    this.#items[this.claim(seq)] = item;
  }

  itemAt(position: number): T {
    return this.#items[position % this.capacity]!;
  }
}

export interface RingInstrument {
  readonly symbol: MarketSymbol;
  readonly digits: number;
}

/** Messages of many topics in columns. A topic is stored as a number: that of its instrument in the catalogue, if it has one. */
export abstract class MessageRing extends Ring {
  protected readonly instruments: readonly RingInstrument[];
  readonly #prevs: Float64Array;
  readonly #topics: Uint32Array;

  constructor(instruments: readonly RingInstrument[], capacity: number, lostUntil?: number) {
    super(capacity, lostUntil);
    this.instruments = instruments;
    this.#prevs = new Float64Array(capacity);
    this.#topics = new Uint32Array(capacity);
  }

  topicAt(position: number): number {
    return this.#topics[position % this.capacity]!;
  }

  prevAt(position: number): number {
    return this.#prevs[position % this.capacity]!;
  }

  abstract bodyAt(position: number): string;

  /** Time of the event in milliseconds. */
  abstract timeAt(position: number): number;

  protected addRow(seq: number, prev: number, topic: number): number {
    const slot = this.claim(seq);
    this.#prevs[slot] = prev;
    this.#topics[slot] = topic;
    return slot;
  }
}

export class TickRing extends MessageRing {
  readonly #bids = new Float64Array(this.capacity);
  readonly #asks = new Float64Array(this.capacity);
  readonly #times = new Float64Array(this.capacity);
  readonly #volumes = new Float64Array(this.capacity);

  add(seq: number, prev: number, instrument: number, { bid, ask, time, volume }: TickEvent): void {
    const slot = this.addRow(seq, prev, instrument);
    this.#bids[slot] = bid;
    this.#asks[slot] = ask;
    this.#times[slot] = time;
    this.#volumes[slot] = volume;
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const { symbol, digits } = this.instruments[this.topicAt(position)]!;
    const tick = {
      symbol,
      bid: this.#bids[slot]!,
      ask: this.#asks[slot]!,
      time: this.#times[slot]! as TickEvent['time'],
    };
    return tickBody(tick, this.#volumes[slot]!, digits);
  }
}

const SIDES: readonly (Side | null)[] = [null, 'buy', 'sell'];
const METHODS: readonly (SideMethod | null)[] = [null, 'quote_rule', 'tick_rule'];

export class FlowRing extends MessageRing {
  readonly #prices = new Float64Array(this.capacity);
  readonly #sizes = new Float64Array(this.capacity);
  readonly #times = new Float64Array(this.capacity);
  readonly #cumulative = new Float64Array(this.capacity);
  readonly #imbalances = new Float64Array(this.capacity);
  /** Side, side of the absorption and side method, two bits each. */
  readonly #flags = new Uint8Array(this.capacity);

  add(seq: number, prev: number, instrument: number, flow: FlowEvent): void {
    const slot = this.addRow(seq, prev, instrument);
    this.#prices[slot] = flow.price;
    this.#sizes[slot] = flow.size;
    this.#times[slot] = flow.time;
    this.#cumulative[slot] = flow.cumulativeDelta;
    this.#imbalances[slot] = flow.imbalance;
    this.#flags[slot] =
      SIDES.indexOf(flow.side) | (SIDES.indexOf(flow.absorption) << 2) | (METHODS.indexOf(flow.sideMethod) << 4);
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const flags = this.#flags[slot]!;
    const size = this.#sizes[slot]!;
    const bought = SIDES[flags & 3] === 'buy';
    return flowBody(
      {
        symbol: this.instruments[this.topicAt(position)]!.symbol,
        price: this.#prices[slot]!,
        time: this.#times[slot]! as FlowEvent['time'],
        cumulativeDelta: this.#cumulative[slot]!,
        imbalance: this.#imbalances[slot]!,
        absorption: SIDES[(flags >> 2) & 3]!,
        sideMethod: METHODS[flags >> 4]!,
      },
      bought ? 0 : size,
      bought ? size : 0,
    );
  }
}

/** Bars that closed or were amended. Each instrument has a topic for each timeframe; `prev` is that of the subscriber. */
export class BarRing extends MessageRing {
  readonly #times = new Float64Array(this.capacity);
  readonly #opens = new Float64Array(this.capacity);
  readonly #highs = new Float64Array(this.capacity);
  readonly #lows = new Float64Array(this.capacity);
  readonly #closes = new Float64Array(this.capacity);
  readonly #volumes = new Float64Array(this.capacity);

  static topicOf(instrument: number, timeframe: Timeframe): number {
    return instrument * TIMEFRAMES.length + TIMEFRAMES.indexOf(timeframe);
  }

  add(seq: number, instrument: number, timeframe: Timeframe, bar: Bar): void {
    const slot = this.addRow(seq, 0, BarRing.topicOf(instrument, timeframe));
    this.#times[slot] = bar.time;
    this.#opens[slot] = bar.open;
    this.#highs[slot] = bar.high;
    this.#lows[slot] = bar.low;
    this.#closes[slot] = bar.close;
    this.#volumes[slot] = bar.volume;
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const topic = this.topicAt(position);
    const bar = {
      time: this.#times[slot]! as Bar['time'],
      open: this.#opens[slot]!,
      high: this.#highs[slot]!,
      low: this.#lows[slot]!,
      close: this.#closes[slot]!,
      volume: this.#volumes[slot]!,
    };
    const { symbol } = this.instruments[Math.floor(topic / TIMEFRAMES.length)]!;
    return barBody(symbol, TIMEFRAMES[topic % TIMEFRAMES.length]!, bar, true);
  }
}
