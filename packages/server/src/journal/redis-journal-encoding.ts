// A run of batches as the bytes of one entry of the stream, and back. Everything in it is exact: numbers are doubles.
//
// entry   'T' 1 | epoch: u8 length, text | sent: f64 ms | first seq: f64 | count of events: u32 | batches…
// batch   source: text place | count of events: u32 | events…
// event   u8 kind and marks | what the kind has
//
// A text place is a u16: the first time a text is used in an entry it is the next free place, and the text follows (u16
// length, UTF-8). Ticks and order flow are nearly all there is; everything else is JSON.
import type { FlowEvent, MarketSymbol, Side, SideMethod, TickEvent } from '@tickwire/engine';
import type { Batch, JournalEvent } from './journal.ts';

const MAGIC = 0x54;
const VERSION = 1;
const TICK = 0x40;
const FLOW = 0x80;
const JSON_EVENT = 0xc0;
const KIND = 0xc0;
/** Marks of a tick: what is not 0 and therefore there. */
const SIZES = 1;
const VOLUME = 2;
/** Marks of order flow: side, method (two bits), absorption (two bits), and whether it has an id. */
const BUY = 1;
const ID = 32;
const METHODS: readonly (SideMethod | null)[] = [null, 'quote_rule', 'tick_rule'];
const SIDES: readonly (Side | null)[] = [null, 'buy', 'sell'];

/** The most that a tick or a message of order flow takes, beside a new text. */
const WIDEST = 80;
const FIRST_CAPACITY = 16_384;
const MAX_TEXT = 65_535;

/** Bytes of an entry that cannot be read: written by a version that this one does not know. */
export class UnknownEntry extends Error {
  override name = 'UnknownEntry';
}

/** Takes batches until the entry is asked for. */
export class EntryEncoder {
  events = 0;
  firstSeq = 0;
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #view = viewOf(this.#bytes);
  #at = 0;
  #epoch: string;
  #entry = 1;
  #texts = 0;
  /** Place of a text, if it was used in this entry already. */
  readonly #places = new Map<string, { entry: number; place: number }>();

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  get size(): number {
    return this.#at;
  }

  get lastSeq(): number {
    return this.firstSeq + this.events - 1;
  }

  /** Another epoch, of as many letters, also of what was taken already. */
  relabel(epoch: string): void {
    this.#epoch = epoch;
    if (this.events > 0) this.#bytes.write(epoch, 3);
  }

  /** Adds events `from` to `to` of a batch; they must follow what the entry holds. */
  add({ firstSeq, source, events }: Batch, from = 0, to = events.length): void {
    if (this.events === 0) this.#begin(firstSeq + from);
    this.events += to - from;
    this.#room(WIDEST);
    this.#text(source);
    this.#view.setUint32(this.#at, to - from, true);
    this.#at += 4;
    for (let index = from; index < to; index++) {
      const event = events[index]!;
      if (event.kind === 'tick') this.#tick(event);
      else if (event.kind === 'flow') this.#flow(event);
      else this.#json(event);
    }
  }

  /** The entry, and an empty one to go on with. */
  take(sentAt: number): Buffer {
    const head = 3 + this.#bytes[2]!;
    this.#view.setFloat64(head, sentAt, true);
    this.#view.setUint32(head + 16, this.events, true);
    const entry = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    this.events = 0;
    this.#texts = 0;
    this.#entry++;
    if (this.#places.size > MAX_TEXT) this.#places.clear();
    return entry;
  }

  #begin(firstSeq: number): void {
    this.firstSeq = firstSeq;
    this.#bytes[0] = MAGIC;
    this.#bytes[1] = VERSION;
    this.#bytes[2] = this.#bytes.write(this.#epoch, 3, 255);
    this.#at = 3 + this.#bytes[2] + 8;
    this.#view.setFloat64(this.#at, firstSeq, true);
    this.#at += 12;
  }

  #tick({ symbol, time, bid, ask, bidSize, askSize, volume }: TickEvent): void {
    this.#room(WIDEST);
    const mark = this.#at++;
    this.#text(symbol);
    const view = this.#view;
    let at = this.#at;
    view.setFloat64(at, time, true);
    view.setFloat64(at + 8, bid, true);
    view.setFloat64(at + 16, ask, true);
    at += 24;
    let marks = TICK;
    if (bidSize !== 0 || askSize !== 0) {
      marks |= SIZES;
      view.setFloat64(at, bidSize, true);
      view.setFloat64(at + 8, askSize, true);
      at += 16;
    }
    if (volume !== 0) {
      marks |= VOLUME;
      view.setFloat64(at, volume, true);
      at += 8;
    }
    view.setUint8(mark, marks);
    this.#at = at;
  }

  #flow(event: FlowEvent): void {
    this.#room(WIDEST);
    const mark = this.#at++;
    this.#text(event.symbol);
    const view = this.#view;
    const at = this.#at;
    view.setFloat64(at, event.time, true);
    view.setFloat64(at + 8, event.price, true);
    view.setFloat64(at + 16, event.size, true);
    view.setFloat64(at + 24, event.cumulativeDelta, true);
    view.setFloat64(at + 32, event.imbalance, true);
    this.#at = at + 40;
    let marks = FLOW | (event.side === 'buy' ? BUY : 0);
    marks |= (METHODS.indexOf(event.sideMethod) << 1) | (SIDES.indexOf(event.absorption) << 3);
    if (event.id !== undefined) {
      marks |= ID;
      view.setFloat64(at + 40, event.id, true);
      this.#at = at + 48;
    }
    view.setUint8(mark, marks);
  }

  #json(event: JournalEvent): void {
    const text = Buffer.from(JSON.stringify(event));
    this.#room(text.length + 5);
    this.#view.setUint8(this.#at, JSON_EVENT);
    this.#view.setUint32(this.#at + 1, text.length, true);
    text.copy(this.#bytes, this.#at + 5);
    this.#at += 5 + text.length;
  }

  #text(text: string): void {
    let known = this.#places.get(text);
    if (known?.entry === this.#entry) {
      this.#view.setUint16(this.#at, known.place, true);
      this.#at += 2;
      return;
    }
    if (!known) {
      known = { entry: 0, place: 0 };
      this.#places.set(text, known);
    }
    known.entry = this.#entry;
    known.place = this.#texts++;
    // Three bytes at most for a unit of UTF-16.
    if (text.length * 3 > MAX_TEXT) throw new RangeError('a symbol or source is too long for the journal');
    this.#room(WIDEST + text.length * 3);
    this.#view.setUint16(this.#at, known.place, true);
    const length = this.#bytes.write(text, this.#at + 4);
    this.#view.setUint16(this.#at + 2, length, true);
    this.#at += 4 + length;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

export interface Entry {
  readonly epoch: string;
  /** When the writer made the entry, by its clock, in ms. */
  readonly sentAt: number;
  readonly firstSeq: number;
  readonly count: number;
  readonly batches: readonly Batch[];
}

export function decodeEntry(bytes: Buffer): Entry {
  if (bytes[0] !== MAGIC || bytes[1] !== VERSION)
    throw new UnknownEntry('an entry of the journal has a format that this version does not know');
  const view = viewOf(bytes);
  const head = 3 + bytes[2]!;
  const epoch = bytes.toString('latin1', 3, head);
  const firstSeq = view.getFloat64(head + 8, true);
  const count = view.getUint32(head + 16, true);
  const batches: Batch[] = [];
  const texts: string[] = [];
  let at = head + 20;
  const text = (): string => {
    const place = view.getUint16(at, true);
    at += 2;
    if (place < texts.length) return texts[place]!;
    const end = at + 2 + view.getUint16(at, true);
    const found = bytes.toString('utf8', at + 2, end);
    at = end;
    texts.push(found);
    return found;
  };
  let seq = firstSeq;
  while (at < bytes.length) {
    const source = text();
    const events: JournalEvent[] = new Array(view.getUint32(at, true));
    at += 4;
    for (let index = 0; index < events.length; index++) {
      const marks = bytes[at++]!;
      if ((marks & KIND) === TICK) {
        const symbol = text() as MarketSymbol;
        const [sizes, traded] = [(marks & SIZES) !== 0, (marks & VOLUME) !== 0];
        const rest = at + (sizes ? 40 : 24);
        events[index] = {
          kind: 'tick',
          symbol,
          time: view.getFloat64(at, true) as TickEvent['time'],
          bid: view.getFloat64(at + 8, true),
          ask: view.getFloat64(at + 16, true),
          bidSize: sizes ? view.getFloat64(at + 24, true) : 0,
          askSize: sizes ? view.getFloat64(at + 32, true) : 0,
          volume: traded ? view.getFloat64(rest, true) : 0,
        };
        at = traded ? rest + 8 : rest;
      } else if ((marks & KIND) === FLOW) {
        const symbol = text() as MarketSymbol;
        const flow: FlowEvent = {
          kind: 'flow',
          symbol,
          time: view.getFloat64(at, true) as FlowEvent['time'],
          price: view.getFloat64(at + 8, true),
          size: view.getFloat64(at + 16, true),
          side: (marks & BUY) !== 0 ? 'buy' : 'sell',
          sideMethod: METHODS[(marks >> 1) & 3]!,
          cumulativeDelta: view.getFloat64(at + 24, true),
          imbalance: view.getFloat64(at + 32, true),
          absorption: SIDES[(marks >> 3) & 3]!,
          ...((marks & ID) !== 0 && { id: view.getFloat64(at + 40, true) }),
        };
        events[index] = flow;
        at += (marks & ID) !== 0 ? 48 : 40;
      } else {
        const end = at + 4 + view.getUint32(at, true);
        events[index] = JSON.parse(bytes.toString('utf8', at + 4, end)) as JournalEvent;
        at = end;
      }
    }
    batches.push({ firstSeq: seq, source, events });
    seq += events.length;
  }
  return { epoch, sentAt: view.getFloat64(head, true), firstSeq, count, batches };
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
