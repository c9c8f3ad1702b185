// A trade with the venue's id, checked from untrusted values, and lists of such trades.
import type { EpochMs, MarketSymbol, Side, TradeEvent } from '@tickwire/engine';
import { asId, asPrice, asSize } from '../raw-values.ts';

export type NumberedTrade = TradeEvent & { readonly id: number };

export interface RawTrade {
  readonly id: unknown;
  readonly price: unknown;
  readonly size: unknown;
  readonly time: EpochMs | null;
  /** The taker's side; `null` if the message has none. */
  readonly side: Side | null;
}

/** The trade, or the name of the problem. */
export function checkTrade(symbol: MarketSymbol, raw: RawTrade): NumberedTrade | string {
  const id = asId(raw.id);
  const price = asPrice(raw.price);
  const size = asSize(raw.size);
  const { time, side } = raw;
  if (id === null) return 'trade without id';
  if (price === null) return 'trade without price';
  if (size === null || size === 0) return 'trade without size';
  if (time === null) return 'trade without time';
  if (side === null) return 'trade without side';
  return { kind: 'trade', symbol, time, price, size, side, sideMethod: null, id };
}

/** The trades of a REST response; `null` if it is not a list of valid trades. */
export function readTrades(rows: unknown, read: (row: unknown) => NumberedTrade | string): NumberedTrade[] | null {
  if (!Array.isArray(rows)) return null;
  const trades = (rows as unknown[]).map(read);
  return trades.every((trade) => typeof trade !== 'string') ? trades : null;
}

/** The trades with `after` < id < `before`, ascending and without duplicates. */
export function tradesBetween(trades: Iterable<NumberedTrade>, after: number, before: number): NumberedTrade[] {
  const byId = new Map<number, NumberedTrade>();
  for (const trade of trades) if (trade.id > after && trade.id < before) byId.set(trade.id, trade);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** Whether no id is missing from `after + 1` on and, if `before` is finite, up to `before - 1`. */
export function isContiguous(trades: readonly NumberedTrade[], after: number, before: number): boolean {
  const last = trades.at(-1)?.id ?? after;
  return last - after === trades.length && (before === Number.POSITIVE_INFINITY || last === before - 1);
}

/** For venues whose ids reveal no gap. */
export const withoutId = ({ kind, symbol, time, price, size, side, sideMethod }: TradeEvent): TradeEvent => ({
  kind,
  symbol,
  time,
  price,
  size,
  side,
  sideMethod,
});
