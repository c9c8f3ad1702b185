// The columns of ticks. An unknown size, side method, id or source is `null`.
import type { TickField, TickKind } from '@tickwire/contract';
import type { QuoteEvent } from '@tickwire/engine';
import type { QuoteTick, Tick, TradeTick } from '../tick-stream.ts';
import type { Column } from './table.ts';

/** A quote has both sizes or none. */
const hasSizes = ({ bidSize, askSize }: QuoteEvent): boolean => bidSize !== 0 || askSize !== 0;

export const QUOTE_COLUMNS: readonly Column<QuoteTick>[] = [
  { name: 'time', type: 'time', nullable: false, cell: ({ event }) => event.time },
  { name: 'bid', type: 'number', nullable: false, cell: ({ event }) => event.bid },
  { name: 'ask', type: 'number', nullable: false, cell: ({ event }) => event.ask },
  { name: 'bid_size', type: 'number', nullable: true, cell: ({ event }) => (hasSizes(event) ? event.bidSize : null) },
  { name: 'ask_size', type: 'number', nullable: true, cell: ({ event }) => (hasSizes(event) ? event.askSize : null) },
];

export const TRADE_COLUMNS: readonly Column<TradeTick>[] = [
  { name: 'time', type: 'time', nullable: false, cell: ({ event }) => event.time },
  { name: 'price', type: 'number', nullable: false, cell: ({ event }) => event.price },
  { name: 'size', type: 'number', nullable: false, cell: ({ event }) => event.size },
  { name: 'side', type: 'text', nullable: false, cell: ({ event }) => event.side },
  { name: 'side_method', type: 'text', nullable: true, cell: ({ event }) => event.sideMethod },
  { name: 'id', type: 'integer', nullable: true, cell: ({ event }) => event.id ?? null },
];

const FIELD_COLUMNS: Readonly<Record<TickField, Column<Tick>>> = {
  seq: { name: 'seq', type: 'integer', nullable: false, cell: ({ seq }) => seq },
  source: { name: 'source', type: 'text', nullable: true, cell: ({ source }) => source || null },
};

export function tickColumns(kind: TickKind, fields: readonly TickField[] = []): Column<Tick>[] {
  const columns = (kind === 'quotes' ? QUOTE_COLUMNS : TRADE_COLUMNS) as readonly Column<Tick>[];
  return [...columns, ...fields.map((field) => FIELD_COLUMNS[field])];
}
