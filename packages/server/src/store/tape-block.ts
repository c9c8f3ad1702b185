// The encoding of a tape block: ticks of one symbol in one minute, a few bytes each.
//
// Prices are whole ticks of the instrument, times milliseconds within the minute, both as differences to the record
// before, zigzag and varint. Sizes are whole numbers of 10^-scale, where one scale of up to eight decimals fits all of
// the block, else eight-byte floats.
//   header: format, price digits, size scale (255: floats), record count
//   record: flags (1 trade · 2 sell · 4 sizes present · 8 quote rule · 16 tick rule · 32 trade id), seq, time, id,
//           price(s), size(s)
import type { EpochMs, MarketSymbol, QuoteEvent, Side, SideMethod, TradeEvent } from '@tickwire/engine';
import { fromTicks, toTicks } from '@tickwire/engine';
import type { TapeRecord } from './store.ts';

const FORMAT = 1;
const FLOATS = 255;
const MAX_SCALE = 8;
const TRADE = 1;
const SELL = 2;
const SIZES = 4;
const QUOTE_RULE = 8;
const TICK_RULE = 16;
const ID = 32;

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  /** Up to 2^53; bit operations would stop at 2^32. */
  varint(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  float(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new Error('tape block ends too early');
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  float(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }
}

const sizesOf = ({ event }: TapeRecord): number[] =>
  event.kind === 'trade' ? [event.size] : [event.bidSize, event.askSize];

/** The fewest decimals that hold every size exactly, or FLOATS. */
function sizeScale(records: readonly TapeRecord[]): number {
  let scale = 0;
  for (const record of records) {
    for (const size of sizesOf(record)) {
      while (scale <= MAX_SCALE && fromTicks(toTicks(size, scale), scale) !== size) scale++;
      if (scale > MAX_SCALE || size < 0 || toTicks(size, scale) > Number.MAX_SAFE_INTEGER) return FLOATS;
    }
  }
  return scale;
}

export function encodeBlock(records: readonly TapeRecord[], minute: number, digits: number): Uint8Array {
  const writer = new Writer();
  const scale = sizeScale(records);
  const size = (value: number): void => {
    if (scale === FLOATS) writer.float(value);
    else writer.varint(toTicks(value, scale));
  };
  writer.byte(FORMAT);
  writer.byte(digits);
  writer.byte(scale);
  writer.varint(records.length);
  let seq = 0;
  let time = minute;
  let bid = 0;
  let trade = 0;
  let id = 0;
  for (const record of records) {
    const { event } = record;
    writer.byte(flagsOf(event));
    writer.zigzag(record.seq - seq);
    writer.zigzag(event.time - time);
    if (event.kind === 'trade') {
      if (event.id !== undefined) {
        writer.zigzag(event.id - id);
        id = event.id;
      }
      const price = toTicks(event.price, digits);
      // The first trade of a block is near the bid, and every later one near the trade before it.
      writer.zigzag(price - (trade || bid));
      trade = price;
      size(event.size);
    } else {
      const price = toTicks(event.bid, digits);
      writer.zigzag(price - bid);
      writer.zigzag(toTicks(event.ask, digits) - price);
      bid = price;
      if (event.bidSize !== 0 || event.askSize !== 0) {
        size(event.bidSize);
        size(event.askSize);
      }
    }
    seq = record.seq;
    time = event.time;
  }
  return writer.done();
}

export function decodeBlock(bytes: Uint8Array, symbol: MarketSymbol, minute: number): TapeRecord[] {
  const reader = new Reader(bytes);
  const format = reader.byte();
  if (format !== FORMAT) throw new Error(`tape block of unknown format ${format}`);
  const digits = reader.byte();
  const scale = reader.byte();
  const size = (): number => (scale === FLOATS ? reader.float() : fromTicks(reader.varint(), scale));
  const count = reader.varint();
  const records: TapeRecord[] = [];
  let seq = 0;
  let at = minute;
  let bid = 0;
  let trade = 0;
  let id = 0;
  for (let index = 0; index < count; index++) {
    const flags = reader.byte();
    seq += reader.zigzag();
    at += reader.zigzag();
    const time = at as EpochMs;
    if (flags & TRADE) {
      if (flags & ID) id += reader.zigzag();
      trade = (trade || bid) + reader.zigzag();
      const side: Side = flags & SELL ? 'sell' : 'buy';
      const price = fromTicks(trade, digits);
      records.push({
        seq,
        event: {
          kind: 'trade',
          symbol,
          time,
          price,
          size: size(),
          side,
          sideMethod: methodOf(flags),
          ...(flags & ID ? { id } : {}),
        },
      });
    } else {
      bid += reader.zigzag();
      const ask = fromTicks(bid + reader.zigzag(), digits);
      const [bidSize, askSize] = flags & SIZES ? [size(), size()] : [0, 0];
      records.push({ seq, event: { kind: 'quote', symbol, time, bid: fromTicks(bid, digits), ask, bidSize, askSize } });
    }
  }
  return records;
}

function flagsOf(event: QuoteEvent | TradeEvent): number {
  if (event.kind === 'quote') return event.bidSize !== 0 || event.askSize !== 0 ? SIZES : 0;
  const method = event.sideMethod === 'quote_rule' ? QUOTE_RULE : event.sideMethod === 'tick_rule' ? TICK_RULE : 0;
  return TRADE | (event.side === 'sell' ? SELL : 0) | method | (event.id === undefined ? 0 : ID);
}

const methodOf = (flags: number): SideMethod | null =>
  flags & QUOTE_RULE ? 'quote_rule' : flags & TICK_RULE ? 'tick_rule' : null;
