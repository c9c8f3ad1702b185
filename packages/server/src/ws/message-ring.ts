// Ring buffers of the newest messages, for clients that resume. Frequent messages are stored in columns of numbers, which cost
// the garbage collector nothing; their text is encoded again when a client needs it.
import type { MarketSymbol } from '@tickwire/engine';

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
