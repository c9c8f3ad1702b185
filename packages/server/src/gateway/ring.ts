// Bounded memories of the newest messages, for readers that come back. Ticks and flow lie in columns of numbers: they are
// many, and cost the collector nothing there. Their text is made again when somebody asks.
import type { FlowEvent, MarketSymbol, Side, SideMethod, TickEvent } from '@tickwire/engine';
import { flowBody, tickBody } from './encode.ts';

/** Entries have positions that rise for ever; the newest `capacity` of them are kept. */
export class Ring {
  readonly capacity: number;
  /** Everything with a higher seq is still here. */
  lostUntil: number;
  end = 0;
  readonly #seqs: Float64Array;
  /** Where the next entry goes. */
  #slot = 0;
  /** Position of the first entry that was not forgotten. */
  #floor = 0;

  /** `lostUntil` is the newest seq before the ring began; none of an epoch that began with it. */
  constructor(capacity: number, lostUntil = 0) {
    this.capacity = capacity;
    this.lostUntil = lostUntil;
    this.#seqs = new Float64Array(capacity);
  }

  get start(): number {
    return Math.max(this.#floor, this.end - this.capacity);
  }

  /** What is here does not lead to what follows: everything up to `seq` counts as lost. */
  forget(seq: number): void {
    this.lostUntil = seq;
    this.#floor = this.end;
  }

  seqAt(position: number): number {
    return this.#seqs[position % this.capacity]!;
  }

  /** Position of the first entry after `seq`; `end` where there is none. */
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

  /** Makes room for an entry; returns where its columns go. */
  protected claim(seq: number): number {
    const slot = this.#slot;
    this.#slot = slot + 1 === this.capacity ? 0 : slot + 1;
    if (this.end++ >= this.capacity) this.lostUntil = this.#seqs[slot]!;
    this.#seqs[slot] = seq;
    return slot;
  }
}

/** Few and large: kept as they are. */
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

/** Messages of many symbols as columns; an instrument is told by its place in the catalogue. */
export abstract class MessageRing extends Ring {
  protected readonly instruments: readonly RingInstrument[];
  readonly #prevs: Float64Array;
  readonly #places: Uint16Array;

  constructor(instruments: readonly RingInstrument[], capacity: number, lostUntil?: number) {
    super(capacity, lostUntil);
    this.instruments = instruments;
    this.#prevs = new Float64Array(capacity);
    this.#places = new Uint16Array(capacity);
  }

  placeAt(position: number): number {
    return this.#places[position % this.capacity]!;
  }

  prevAt(position: number): number {
    return this.#prevs[position % this.capacity]!;
  }

  abstract bodyAt(position: number): string;

  protected note(seq: number, prev: number, place: number): number {
    const slot = this.claim(seq);
    this.#prevs[slot] = prev;
    this.#places[slot] = place;
    return slot;
  }
}

export class TickRing extends MessageRing {
  readonly #bids = new Float64Array(this.capacity);
  readonly #asks = new Float64Array(this.capacity);
  readonly #times = new Float64Array(this.capacity);
  readonly #volumes = new Float64Array(this.capacity);

  add(seq: number, prev: number, place: number, { bid, ask, time, volume }: TickEvent): void {
    const slot = this.note(seq, prev, place);
    this.#bids[slot] = bid;
    this.#asks[slot] = ask;
    this.#times[slot] = time;
    this.#volumes[slot] = volume;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const { symbol, digits } = this.instruments[this.placeAt(position)]!;
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
  /** Side, side of the absorption and method, two bits each. */
  readonly #marks = new Uint8Array(this.capacity);

  add(seq: number, prev: number, place: number, flow: FlowEvent): void {
    const slot = this.note(seq, prev, place);
    this.#prices[slot] = flow.price;
    this.#sizes[slot] = flow.size;
    this.#times[slot] = flow.time;
    this.#cumulative[slot] = flow.cumulativeDelta;
    this.#imbalances[slot] = flow.imbalance;
    this.#marks[slot] =
      SIDES.indexOf(flow.side) | (SIDES.indexOf(flow.absorption) << 2) | (METHODS.indexOf(flow.sideMethod) << 4);
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const marks = this.#marks[slot]!;
    const size = this.#sizes[slot]!;
    const bought = SIDES[marks & 3] === 'buy';
    return flowBody(
      {
        symbol: this.instruments[this.placeAt(position)]!.symbol,
        price: this.#prices[slot]!,
        time: this.#times[slot]! as FlowEvent['time'],
        cumulativeDelta: this.#cumulative[slot]!,
        imbalance: this.#imbalances[slot]!,
        absorption: SIDES[(marks >> 2) & 3]!,
        sideMethod: METHODS[marks >> 4]!,
      },
      bought ? 0 : size,
      bought ? size : 0,
    );
  }
}
