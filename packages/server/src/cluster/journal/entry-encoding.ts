// Encodes batches as the bytes of one stream entry, and back. The encoding is exact: numbers are doubles.
//
// entry   'T' 1 | epoch: u8 length, text | sent: f64 ms | first seq: f64 | count of events: u32 | batches…
// batch   source: text index | count of events: u32 | events…
// event   u8 kind and flags | fields of the kind
//
// A text index is a u16. When a text is first used in an entry it gets the next free index, and the text follows (u16 length,
// UTF-8). Nearly all events are ticks and order flow; all others are JSON.
import type { FlowEvent, MarketSymbol, Side, SideMethod, TickEvent } from '@tickwire/engine';
import { type Batch, isSignalEvent, type JournalEvent, NOOP } from '../../journal/journal.ts';

const MAGIC = 0x54;
const VERSION = 1;
const TICK = 0x40;
const FLOW = 0x80;
const JSON_EVENT = 0xc0;
/** Flag of an event in JSON: about a signal. */
const SIGNAL = 1;
const KIND = 0xc0;
/** Flags of a tick: fields that are present because they are not 0. */
const SIZES = 1;
const VOLUME = 2;
/** Flags of order flow: side, method (two bits), absorption (two bits), and whether there is an id. */
const BUY = 1;
const ID = 32;
const METHODS: readonly (SideMethod | null)[] = [null, 'quote_rule', 'tick_rule'];
const SIDES: readonly (Side | null)[] = [null, 'buy', 'sell'];

/** Maximum bytes of a tick or order-flow event without new texts. */
const MAX_EVENT_BYTES = 80;
const FIRST_CAPACITY = 16_384;
const MAX_TEXT = 65_535;

/** An entry in a format that this version does not know. */
export class UnknownEntry extends Error {
  override name = 'UnknownEntry';
}

/** Collects batches until `take` returns the entry. */
export class EntryEncoder {
  events = 0;
  firstSeq = 0;
  #bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #view = viewOf(this.#bytes);
  #at = 0;
  #epoch: string;
  #entry = 1;
  #texts = 0;
  /** Index of each text, and the entry in which it was last used. */
  readonly #indexes = new Map<string, { entry: number; index: number }>();

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  get size(): number {
    return this.#at;
  }

  get lastSeq(): number {
    return this.firstSeq + this.events - 1;
  }

  /** Changes the epoch, also of what was added already. The new one must have the same length. */
  relabel(epoch: string): void {
    this.#epoch = epoch;
    if (this.events > 0) this.#bytes.write(epoch, 3);
  }

  /** Adds events `from` to `to` of a batch; they must follow those of the entry. */
  add({ firstSeq, source, events }: Batch, from = 0, to = events.length): void {
    if (this.events === 0) this.#begin(firstSeq + from);
    this.events += to - from;
    this.#ensure(MAX_EVENT_BYTES);
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

  /** Returns the entry and starts an empty one. */
  take(sentAt: number): Buffer {
    const head = 3 + this.#bytes[2]!;
    this.#view.setFloat64(head, sentAt, true);
    this.#view.setUint32(head + 16, this.events, true);
    const entry = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    this.events = 0;
    this.#texts = 0;
    this.#entry++;
    if (this.#indexes.size > MAX_TEXT) this.#indexes.clear();
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
    this.#ensure(MAX_EVENT_BYTES);
    const flagsAt = this.#at++;
    this.#text(symbol);
    const view = this.#view;
    let at = this.#at;
    view.setFloat64(at, time, true);
    view.setFloat64(at + 8, bid, true);
    view.setFloat64(at + 16, ask, true);
    at += 24;
    let flags = TICK;
    if (bidSize !== 0 || askSize !== 0) {
      flags |= SIZES;
      view.setFloat64(at, bidSize, true);
      view.setFloat64(at + 8, askSize, true);
      at += 16;
    }
    if (volume !== 0) {
      flags |= VOLUME;
      view.setFloat64(at, volume, true);
      at += 8;
    }
    view.setUint8(flagsAt, flags);
    this.#at = at;
  }

  #flow(event: FlowEvent): void {
    this.#ensure(MAX_EVENT_BYTES);
    const flagsAt = this.#at++;
    this.#text(event.symbol);
    const view = this.#view;
    const at = this.#at;
    view.setFloat64(at, event.time, true);
    view.setFloat64(at + 8, event.price, true);
    view.setFloat64(at + 16, event.size, true);
    view.setFloat64(at + 24, event.cumulativeDelta, true);
    view.setFloat64(at + 32, event.imbalance, true);
    this.#at = at + 40;
    let flags = FLOW | (event.side === 'buy' ? BUY : 0);
    flags |= (METHODS.indexOf(event.sideMethod) << 1) | (SIDES.indexOf(event.absorption) << 3);
    if (event.id !== undefined) {
      flags |= ID;
      view.setFloat64(at + 40, event.id, true);
      this.#at = at + 48;
    }
    view.setUint8(flagsAt, flags);
  }

  #json(event: JournalEvent): void {
    const text = Buffer.from(JSON.stringify(event));
    this.#ensure(text.length + 5);
    this.#view.setUint8(this.#at, isSignalEvent(event) ? JSON_EVENT | SIGNAL : JSON_EVENT);
    this.#view.setUint32(this.#at + 1, text.length, true);
    text.copy(this.#bytes, this.#at + 5);
    this.#at += 5 + text.length;
  }

  #text(text: string): void {
    let known = this.#indexes.get(text);
    if (known?.entry === this.#entry) {
      this.#view.setUint16(this.#at, known.index, true);
      this.#at += 2;
      return;
    }
    if (!known) {
      known = { entry: 0, index: 0 };
      this.#indexes.set(text, known);
    }
    known.entry = this.#entry;
    known.index = this.#texts++;
    // A UTF-16 unit has at most three bytes.
    if (text.length * 3 > MAX_TEXT) throw new RangeError('a symbol or source is too long for the journal');
    this.#ensure(MAX_EVENT_BYTES + text.length * 3);
    this.#view.setUint16(this.#at, known.index, true);
    const length = this.#bytes.write(text, this.#at + 4);
    this.#view.setUint16(this.#at + 2, length, true);
    this.#at += 4 + length;
  }

  #ensure(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

export interface JournalEntry {
  readonly epoch: string;
  /** When the writer sent the entry, by its own clock, in ms. */
  readonly sentAt: number;
  readonly firstSeq: number;
  readonly count: number;
  readonly batches: readonly Batch[];
}

/** Without `signals`, events about signals are replaced: parsing them takes most of the time. */
export function decodeEntry(bytes: Buffer, { signals = true } = {}): JournalEntry {
  if (bytes[0] !== MAGIC || bytes[1] !== VERSION)
    throw new UnknownEntry('a journal entry has a format that this version does not know');
  const view = viewOf(bytes);
  const head = 3 + bytes[2]!;
  const epoch = bytes.toString('latin1', 3, head);
  const firstSeq = view.getFloat64(head + 8, true);
  const count = view.getUint32(head + 16, true);
  const batches: Batch[] = [];
  const texts: string[] = [];
  let at = head + 20;
  const text = (): string => {
    const index = view.getUint16(at, true);
    at += 2;
    if (index < texts.length) return texts[index]!;
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
      const flags = bytes[at++]!;
      if ((flags & KIND) === TICK) {
        const symbol = text() as MarketSymbol;
        const [sizes, traded] = [(flags & SIZES) !== 0, (flags & VOLUME) !== 0];
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
      } else if ((flags & KIND) === FLOW) {
        const symbol = text() as MarketSymbol;
        const flow: FlowEvent = {
          kind: 'flow',
          symbol,
          time: view.getFloat64(at, true) as FlowEvent['time'],
          price: view.getFloat64(at + 8, true),
          size: view.getFloat64(at + 16, true),
          side: (flags & BUY) !== 0 ? 'buy' : 'sell',
          sideMethod: METHODS[(flags >> 1) & 3]!,
          cumulativeDelta: view.getFloat64(at + 24, true),
          imbalance: view.getFloat64(at + 32, true),
          absorption: SIDES[(flags >> 3) & 3]!,
          ...((flags & ID) !== 0 && { id: view.getFloat64(at + 40, true) }),
        };
        events[index] = flow;
        at += (flags & ID) !== 0 ? 48 : 40;
      } else {
        const end = at + 4 + view.getUint32(at, true);
        const isWanted = signals || (flags & SIGNAL) === 0;
        events[index] = isWanted ? (JSON.parse(bytes.toString('utf8', at + 4, end)) as JournalEvent) : NOOP;
        at = end;
      }
    }
    batches.push({ firstSeq: seq, source, events });
    seq += events.length;
  }
  return { epoch, sentAt: view.getFloat64(head, true), firstSeq, count, batches };
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
