// Reads the rows of a file whose columns are known by name: quotes, trades or bars.

import type { BarBasis, BarInterval, Side, SideMethod } from '@tickwire/engine';
import type { Columns, RowKind } from './columns.ts';
import { parseInteger } from './decimal.ts';
import { FieldSplitter } from './field-splitter.ts';
import { LineReader } from './line-reader.ts';
import { type NumberStyle, parseStyled, parseVolume } from './number-style.ts';
import type { RowSink } from './row-sink.ts';
import { SymbolFilter } from './symbol-filter.ts';
import { TimestampReader } from './timestamp.ts';
import type { TimeZone } from './timezone.ts';

export interface ColumnLayout {
  readonly columns: Columns;
  readonly kind: RowKind;
  readonly separator: string;
  /** Lines before the first row. */
  readonly header: number;
  /** Time zone of local times; `null` if unknown. */
  readonly zone: TimeZone | null;
  /** Bars only. */
  readonly timeframe?: BarInterval;
  readonly basis?: BarBasis;
  /** Skip bars without volume that repeat one price: some sources fill gaps with them. */
  readonly dropFlat?: boolean;
  /** How prices are written; default plain. */
  readonly numbers?: NumberStyle;
  /** The imported symbol: rows of others in a symbol column are left out. */
  readonly symbol?: string;
  /** Columns with volumes that are not imported: reported as soon as one has another value than 0. */
  readonly unused?: readonly { readonly name: string; readonly column: number }[];
  /** Unix times are those of the clock of a server, in `zone`. */
  readonly hasServerTimes?: boolean;
  /** An empty side of a quote has not changed (MetaTrader). */
  readonly carryForward?: boolean;
}

/** Tick flags of MetaTrader 5 (MqlTick): the last price or volume changed, and the side of the taker. */
const LAST_CHANGED = 8;
const VOLUME_CHANGED = 16;
const BOUGHT = 32;
const SOLD = 64;

const SIDES: Readonly<Record<string, Side>> = {
  buy: 'buy',
  b: 'buy',
  bid: 'buy',
  sell: 'sell',
  s: 'sell',
  ask: 'sell',
  a: 'sell',
};

const METHODS: Readonly<Record<string, SideMethod>> = { quote_rule: 'quote_rule', tick_rule: 'tick_rule' };
const BASES: Readonly<Record<string, BarBasis>> = { trade: 'trade', bid: 'bid' };

class ColumnRowParser {
  readonly #fields = new FieldSplitter();
  readonly #timestamps: TimestampReader;
  readonly #minFields: number;
  readonly #layout: ColumnLayout;
  readonly #sink: RowSink;
  readonly #separator: number;
  readonly #style: NumberStyle;
  readonly #symbols: SymbolFilter | null;
  #unused: NonNullable<ColumnLayout['unused']>;
  #bid = Number.NaN;
  #ask = Number.NaN;

  constructor(layout: ColumnLayout, sink: RowSink) {
    this.#layout = layout;
    this.#sink = sink;
    this.#timestamps = new TimestampReader(layout.zone, sink.times, layout.kind === 'bar', layout.hasServerTimes);
    this.#style = layout.numbers ?? 'plain';
    const { symbol } = layout.columns;
    this.#symbols = symbol >= 0 && layout.symbol !== undefined ? new SymbolFilter(layout.symbol, sink) : null;
    this.#unused = layout.unused ?? [];
    this.#separator = layout.separator.charCodeAt(0);
    const { time, date, open, high, low, close, bid, ask, price } = layout.columns;
    const prices = { bar: [open, high, low, close], quote: [bid, ask], trade: [price] }[layout.kind];
    this.#minFields = Math.max(time, date, ...prices) + 1;
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    if (this.#fields.split(bytes, start, end, this.#separator) < this.#minFields) {
      this.#sink.skip('wrong_columns');
      return;
    }
    if (this.#symbols && !this.#isOfSymbol(this.#symbols)) {
      this.#sink.skip('unknown_symbol');
      return;
    }
    if (this.#unused.length > 0) this.#unused = this.#unused.filter((each) => !this.#reportUnused(each));
    const time = this.#time();
    if (this.#layout.kind === 'quote') this.#quote(time);
    else if (this.#layout.kind === 'trade') this.#trade(time);
    else this.#bar(time);
  }

  #reportUnused({ name, column }: { readonly name: string; readonly column: number }): boolean {
    if (column >= this.#fields.count || !/[1-9]/.test(this.#fields.text(column))) return false;
    this.#sink.leaveOut(name);
    return true;
  }

  #isOfSymbol(symbols: SymbolFilter): boolean {
    const { symbol } = this.#layout.columns;
    if (symbol >= this.#fields.count) return false;
    return symbols.matches(this.#fields.bytes, this.#fields.start[symbol]!, this.#fields.end[symbol]!);
  }

  #time(): number {
    const { bytes, start, end } = this.#fields;
    const { time, date } = this.#layout.columns;
    if (date < 0) return this.#timestamps.read(bytes, start[time]!, end[time]!);
    if (time < 0) return this.#timestamps.read(bytes, start[date]!, end[date]!);
    return this.#timestamps.readSplit(bytes, start[date]!, end[date]!, start[time]!, end[time]!);
  }

  /** The number in a column; 0 if the file has no such column, NaN if it is empty or not a number. */
  #number(column: number): number {
    if (column < 0) return 0;
    if (column >= this.#fields.count) return Number.NaN;
    if (this.#style === 'plain') return this.#fields.decimal(column);
    return parseStyled(this.#style, this.#fields.bytes, this.#fields.start[column]!, this.#fields.end[column]!);
  }

  /** The volume of a bar; 0 if the file has none, or the row is empty there. */
  #volume(column: number): number {
    if (column < 0 || column >= this.#fields.count) return 0;
    return parseVolume(this.#style, this.#fields.bytes, this.#fields.start[column]!, this.#fields.end[column]!);
  }

  /** 0 if the file has no such column, or the row is empty there. */
  #sizeOrNone(column: number): number {
    return this.#isEmpty(column) ? 0 : this.#number(column);
  }

  #isEmpty(column: number): boolean {
    return column < 0 || column >= this.#fields.count || this.#fields.start[column] === this.#fields.end[column];
  }

  #quote(time: number): void {
    const { columns, carryForward } = this.#layout;
    if (carryForward) {
      this.#quoteCarriedForward(time);
      return;
    }
    const bid = this.#number(columns.bid);
    const ask = this.#number(columns.ask);
    this.#sink.quote(time, bid, ask, this.#sizeOrNone(columns.bidSize), this.#sizeOrNone(columns.askSize));
  }

  #quoteCarriedForward(time: number): void {
    const { columns } = this.#layout;
    const isWithoutQuote = this.#isEmpty(columns.bid) && this.#isEmpty(columns.ask);
    if (!isWithoutQuote) {
      // An invalid price must not be carried forward.
      const bid = this.#isEmpty(columns.bid) ? this.#bid : this.#number(columns.bid);
      const ask = this.#isEmpty(columns.ask) ? this.#ask : this.#number(columns.ask);
      if (bid > 0) this.#bid = bid;
      if (ask > 0) this.#ask = ask;
      const isKnown =
        !(this.#isEmpty(columns.bid) && Number.isNaN(bid)) && !(this.#isEmpty(columns.ask) && Number.isNaN(ask));
      if (isKnown) this.#sink.quote(time, bid, ask, 0, 0);
      else this.#sink.skip('one_sided');
    }
    const price = this.#isEmpty(columns.price) ? 0 : this.#number(columns.price);
    const flags = this.#isEmpty(columns.flags) ? 0 : this.#number(columns.flags);
    const traded = columns.flags < 0 || (flags & (LAST_CHANGED | VOLUME_CHANGED | BOUGHT | SOLD)) !== 0;
    if (price > 0 && traded) {
      const side = flags & BOUGHT ? 'buy' : flags & SOLD ? 'sell' : null;
      this.#sink.trade(time, price, this.#sizeOrNone(columns.size), side, null);
    } else if (isWithoutQuote) this.#sink.skip('bad_price');
  }

  #trade(time: number): void {
    const { columns } = this.#layout;
    const { bytes, start, end } = this.#fields;
    const id = this.#isEmpty(columns.id) ? Number.NaN : parseInteger(bytes, start[columns.id]!, end[columns.id]!);
    const size = this.#number(columns.size);
    const side = this.#side();
    const method = side === null ? null : (METHODS[this.#text(columns.sideMethod)] ?? null);
    this.#sink.trade(time, this.#number(columns.price), size, side, Number.isNaN(id) ? null : id, method);
  }

  #side(): Side | null {
    const { columns } = this.#layout;
    if (!this.#isEmpty(columns.buyerMaker)) {
      const first = this.#fields.bytes[this.#fields.start[columns.buyerMaker]!]! | 32;
      return first === 116 || first === 49 ? 'sell' : first === 102 || first === 48 ? 'buy' : null;
    }
    return SIDES[this.#text(columns.side)] ?? null;
  }

  /** In lower case; empty if the file has no such column. */
  #text(column: number): string {
    return this.#isEmpty(column) ? '' : this.#fields.text(column).toLowerCase();
  }

  #bar(time: number): void {
    const { columns, dropFlat, timeframe, basis } = this.#layout;
    const open = this.#number(columns.open);
    const high = this.#number(columns.high);
    const low = this.#number(columns.low);
    const close = this.#number(columns.close);
    const volume = this.#volume(columns.volume);
    if (dropFlat && columns.volume >= 0 && volume === 0 && high === low) {
      this.#sink.flatBar(time, timeframe!);
      return;
    }
    const askVolume = this.#sizeOrNone(columns.buyVolume);
    const bidVolume = this.#sizeOrNone(columns.sellVolume);
    const own = columns.basis < 0 ? undefined : BASES[this.#text(columns.basis)];
    this.#sink.bar(time, timeframe!, own ?? basis ?? 'trade', { open, high, low, close, volume, bidVolume, askVolume });
  }
}

export function columnReader(layout: ColumnLayout, sink: RowSink): LineReader {
  const rows = new ColumnRowParser(layout, sink);
  return new LineReader(sink, layout.header, (bytes, start, end) => rows.line(bytes, start, end));
}
