// The encoding of a tape block: ticks of one symbol in one minute, a few bytes per tick.
//
// Prices are in ticks of the instrument, times in milliseconds within the minute. Both are stored as zigzag varints of
// the difference to the record before. The scale of sizes is written when it changes. The source is written when it changes
// and starts as ''. Records are appended one by one: a growing block is never encoded again from its beginning.
//   header: format, price digits
//   record: flags (1 trade · 2 sell · 4 sizes present · 8 quote rule · 16 tick rule · 32 trade id · 64 new scale ·
//           128 new source), [scale], [length and UTF-8 bytes of the source], seq, time, [id], price(s), size(s)
import {
  type EpochMs,
  fromTicks,
  type MarketSymbol,
  type PriceEvent,
  type QuoteEvent,
  type Side,
  type SideMethod,
  type TradeEvent,
  toTicks,
} from '@tickwire/engine';
import type { TapeRecord } from './market-store.ts';
import { exactScale, FLOATS, PackedReader, PackedWriter } from './packed-bytes.ts';

const FORMAT = 1;
const TRADE = 1;
const SELL = 2;
const SIZES = 4;
const QUOTE_RULE = 8;
const TICK_RULE = 16;
const ID = 32;
const SCALE = 64;
const SOURCE = 128;
const MAX_SOURCE_BYTES = 255;

const encoder = new TextEncoder();

/** More than any record has: a source of 255 bytes and nine numbers of eight bytes. */
const MAX_RECORD_BYTES = 512;

type TradeFields = Omit<TradeEvent, 'kind' | 'id'> & { readonly id?: number | undefined };

/** A block under construction. */
export class BlockWriter {
  count = 0;
  readonly #writer = new PackedWriter();
  readonly #digits: number;
  #seq = 0;
  #time: number;
  #bid = 0;
  #trade = 0;
  #id = 0;
  /** Decimals of the sizes, or FLOATS. It rarely changes, because sizes of one market are similar. */
  #scale = 0;
  #source = '';

  constructor(minute: number, digits: number) {
    this.#digits = digits;
    this.#time = minute;
    this.#writer.byte(FORMAT);
    this.#writer.byte(digits);
  }

  append(seq: number, event: PriceEvent, source: string): void {
    if (event.kind === 'quote') this.quote(seq, event, source);
    else this.trade(seq, event, source);
  }

  quote(seq: number, { time, bid, ask, bidSize, askSize }: Omit<QuoteEvent, 'kind'>, source: string): void {
    const hasSizes = bidSize !== 0 || askSize !== 0;
    const first = exactScale(bidSize, this.#firstScale);
    const scale = first === FLOATS ? FLOATS : exactScale(askSize, first);
    this.#begin(hasSizes ? SIZES : 0, scale, seq, time, source);
    const writer = this.#writer;
    const price = toTicks(bid, this.#digits);
    writer.zigzag(price - this.#bid);
    writer.zigzag(toTicks(ask, this.#digits) - price);
    this.#bid = price;
    if (!hasSizes) return;
    writer.size(bidSize, scale);
    writer.size(askSize, scale);
  }

  trade(seq: number, { time, price: at, size, side, sideMethod, id }: TradeFields, source: string): void {
    const scale = exactScale(size, this.#firstScale);
    const method = sideMethod === 'quote_rule' ? QUOTE_RULE : sideMethod === 'tick_rule' ? TICK_RULE : 0;
    const flags = TRADE | (side === 'sell' ? SELL : 0) | method | (id === undefined ? 0 : ID);
    this.#begin(flags, scale, seq, time, source);
    const writer = this.#writer;
    if (id !== undefined) {
      writer.zigzag(id - this.#id);
      this.#id = id;
    }
    const price = toTicks(at, this.#digits);
    // The first trade is close to the bid, every later one to the trade before it.
    writer.zigzag(price - (this.#trade || this.#bid));
    this.#trade = price;
    writer.size(size, scale);
  }

  /** Bytes of the block so far. */
  get length(): number {
    return this.#writer.length;
  }

  /** The block so far, or some of its bytes. */
  bytes(from?: number, to?: number): Uint8Array {
    return this.#writer.done(from, to);
  }

  /** Where the search for an exact scale begins: the current one, then finer ones. */
  get #firstScale(): number {
    return this.#scale === FLOATS ? 0 : this.#scale;
  }

  /** What both kinds of records begin with. */
  #begin(flags: number, scale: number, seq: number, time: number, source: string): void {
    const writer = this.#writer;
    writer.reserve(MAX_RECORD_BYTES);
    const changed = source === this.#source ? null : bytesOf(source);
    writer.byte(flags | (scale === this.#scale ? 0 : SCALE) | (changed ? SOURCE : 0));
    if (scale !== this.#scale) writer.byte(scale);
    this.#scale = scale;
    if (changed) writer.text(changed);
    this.#source = source;
    writer.zigzag(seq - this.#seq);
    writer.zigzag(time - this.#time);
    this.#seq = seq;
    this.#time = time;
    this.count++;
  }
}

function bytesOf(source: string): Uint8Array {
  const bytes = encoder.encode(source);
  if (bytes.length > MAX_SOURCE_BYTES)
    throw new Error(`the name of a source has ${bytes.length} bytes; the limit is 255`);
  return bytes;
}

export function encodeBlock(records: readonly TapeRecord[], minute: number, digits: number): Uint8Array {
  const writer = new BlockWriter(minute, digits);
  for (const { seq, event, source } of records) writer.append(seq, event, source);
  return writer.bytes();
}

export function decodeBlock(bytes: Uint8Array, symbol: MarketSymbol, minute: number): TapeRecord[] {
  const reader = new PackedReader(bytes, () => new Error('tape block ends too early'));
  const format = reader.byte();
  if (format !== FORMAT) throw new Error(`tape block of unknown format ${format}`);
  const digits = reader.byte();
  let scale = 0;
  const records: TapeRecord[] = [];
  let seq = 0;
  let at = minute;
  let bid = 0;
  let trade = 0;
  let id = 0;
  let source = '';
  while (!reader.ended) {
    const flags = reader.byte();
    if (flags & SCALE) scale = reader.byte();
    if (flags & SOURCE) source = reader.text();
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
          size: reader.size(scale),
          side,
          sideMethod: methodOf(flags),
          ...(flags & ID ? { id } : {}),
        },
        source,
      });
    } else {
      bid += reader.zigzag();
      const ask = fromTicks(bid + reader.zigzag(), digits);
      const [bidSize, askSize] = flags & SIZES ? [reader.size(scale), reader.size(scale)] : [0, 0];
      records.push({
        seq,
        event: { kind: 'quote', symbol, time, bid: fromTicks(bid, digits), ask, bidSize, askSize },
        source,
      });
    }
  }
  return records;
}

const methodOf = (flags: number): SideMethod | null =>
  flags & QUOTE_RULE ? 'quote_rule' : flags & TICK_RULE ? 'tick_rule' : null;
