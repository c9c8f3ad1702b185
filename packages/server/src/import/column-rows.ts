// Rows of a file whose columns are known by name: quotes, trades or bars.
import type { Timeframe } from '@tickwire/contract';
import type { BarBasis, Side } from '@tickwire/engine';
import type { Columns, RowKind } from './columns.ts';
import { decimal, textOf, whole } from './decimal.ts';
import { LineReader } from './formats/format.ts';
import { Fields } from './lines.ts';
import type { RowSink } from './row-sink.ts';
import { StampReader } from './stamp.ts';
import type { Zone } from './zone.ts';

export interface ColumnLayout {
  readonly columns: Columns;
  readonly kind: RowKind;
  readonly separator: string;
  /** Lines before the first row. */
  readonly header: number;
  /** Zone of wall clocks; null where nobody said. */
  readonly zone: Zone | null;
  /** Bars only. */
  readonly timeframe?: Timeframe;
  readonly basis?: BarBasis;
  /** Bars without volume that repeat one price are fillers of the source, not bars. */
  readonly dropFlat?: boolean;
  /** MetaTrader leaves a side of a quote empty where it has not changed. */
  readonly carry?: boolean;
}

/** MetaTrader 5's flags of a tick (MqlTick): the last deal's price changed, and who was the taker. */
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
};

class ColumnRows {
  readonly #fields = new Fields();
  readonly #stamps: StampReader;
  readonly #needed: number;
  readonly #layout: ColumnLayout;
  readonly #sink: RowSink;
  readonly #separator: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #bid = Number.NaN;
  #ask = Number.NaN;

  constructor(layout: ColumnLayout, sink: RowSink) {
    this.#layout = layout;
    this.#sink = sink;
    this.#stamps = new StampReader(layout.zone);
    this.#separator = layout.separator.charCodeAt(0);
    const { time, date, open, high, low, close, bid, ask, price } = layout.columns;
    const prices = { bar: [open, high, low, close], quote: [bid, ask], trade: [price] }[layout.kind];
    this.#needed = Math.max(time, date, ...prices) + 1;
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    if (this.#fields.split(bytes, start, end, this.#separator) < this.#needed) {
      this.#sink.skip('wrong_columns');
      return;
    }
    this.#bytes = bytes;
    const time = this.#time();
    if (this.#layout.kind === 'quote') this.#quote(time);
    else if (this.#layout.kind === 'trade') this.#trade(time);
    else this.#bar(time);
  }

  #time(): number {
    const { start, end } = this.#fields;
    const { time, date } = this.#layout.columns;
    if (date < 0) return this.#stamps.read(this.#bytes, start[time]!, end[time]!);
    if (time < 0) return this.#stamps.read(this.#bytes, start[date]!, end[date]!);
    return this.#stamps.readSplit(this.#bytes, start[date]!, end[date]!, start[time]!, end[time]!);
  }

  /** The number in a column; 0 where there is no such column, NaN where it is empty or something else. */
  #number(column: number): number {
    if (column < 0) return 0;
    if (column >= this.#fields.count) return Number.NaN;
    return decimal(this.#bytes, this.#fields.start[column]!, this.#fields.end[column]!);
  }

  #empty(column: number): boolean {
    return column < 0 || column >= this.#fields.count || this.#fields.start[column] === this.#fields.end[column];
  }

  #quote(time: number): void {
    const { columns, carry } = this.#layout;
    if (carry) {
      this.#carried(time);
      return;
    }
    const bid = this.#number(columns.bid);
    const ask = this.#number(columns.ask);
    this.#sink.quote(time, bid, ask, this.#number(columns.bidSize), this.#number(columns.askSize));
  }

  #carried(time: number): void {
    const { columns } = this.#layout;
    const silent = this.#empty(columns.bid) && this.#empty(columns.ask);
    if (!silent) {
      // A fault must not be carried into the lines after it.
      const bid = this.#empty(columns.bid) ? this.#bid : this.#number(columns.bid);
      const ask = this.#empty(columns.ask) ? this.#ask : this.#number(columns.ask);
      if (bid > 0) this.#bid = bid;
      if (ask > 0) this.#ask = ask;
      const known =
        !(this.#empty(columns.bid) && Number.isNaN(bid)) && !(this.#empty(columns.ask) && Number.isNaN(ask));
      if (known) this.#sink.quote(time, bid, ask, 0, 0);
      else this.#sink.skip('one_sided');
    }
    const price = this.#empty(columns.price) ? 0 : this.#number(columns.price);
    const flags = this.#empty(columns.flags) ? 0 : this.#number(columns.flags);
    const traded = columns.flags < 0 || (flags & (LAST_CHANGED | VOLUME_CHANGED | BOUGHT | SOLD)) !== 0;
    if (price > 0 && traded) {
      const side = flags & BOUGHT ? 'buy' : flags & SOLD ? 'sell' : null;
      this.#sink.trade(time, price, this.#empty(columns.size) ? 0 : this.#number(columns.size), side, null);
    } else if (silent) this.#sink.skip('bad_price');
  }

  #trade(time: number): void {
    const { columns } = this.#layout;
    const { start, end } = this.#fields;
    const id = this.#empty(columns.id) ? Number.NaN : whole(this.#bytes, start[columns.id]!, end[columns.id]!);
    const size = this.#number(columns.size);
    this.#sink.trade(time, this.#number(columns.price), size, this.#side(), Number.isNaN(id) ? null : id);
  }

  #side(): Side | null {
    const { columns } = this.#layout;
    if (!this.#empty(columns.buyerMaker)) {
      const first = this.#bytes[this.#fields.start[columns.buyerMaker]!]! | 32;
      return first === 116 || first === 49 ? 'sell' : first === 102 || first === 48 ? 'buy' : null;
    }
    if (this.#empty(columns.side)) return null;
    const text = textOf(this.#bytes, this.#fields.start[columns.side]!, this.#fields.end[columns.side]!);
    return SIDES[text.toLowerCase()] ?? null;
  }

  #bar(time: number): void {
    const { columns, dropFlat, timeframe, basis } = this.#layout;
    const open = this.#number(columns.open);
    const high = this.#number(columns.high);
    const low = this.#number(columns.low);
    const close = this.#number(columns.close);
    const volume = this.#number(columns.volume);
    if (dropFlat && columns.volume >= 0 && volume === 0 && high === low) {
      this.#sink.skip('flat_bar');
      return;
    }
    const prices = { open, high, low, close };
    this.#sink.bar(time, timeframe!, basis ?? 'trade', { ...prices, volume, bidVolume: 0, askVolume: 0, ask: null });
  }
}

export function columnReader(layout: ColumnLayout, sink: RowSink): LineReader {
  const rows = new ColumnRows(layout, sink);
  return new LineReader(sink, layout.header, (bytes, start, end) => rows.line(bytes, start, end));
}
