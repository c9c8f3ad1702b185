// What the venues' ways of fetching missed trades have in common.
import type { TradeEvent } from '@tickwire/engine';

export type NumberedTrade = TradeEvent & { readonly id: number };

/** Pages of a thousand: a hole of more than 100,000 trades is declared, not filled. */
export const MAX_PAGES = 100;
export const PAGE_SIZE = 1_000;

/** Pages to ask for where no more than `limit` trades are wanted. */
export const pagesFor = (limit = Number.POSITIVE_INFINITY): number => Math.min(MAX_PAGES, Math.ceil(limit / PAGE_SIZE));

/** Ascending, one of each id, only those strictly between the two ids. */
export function between(trades: Iterable<NumberedTrade>, after: number, before: number): NumberedTrade[] {
  const byId = new Map<number, NumberedTrade>();
  for (const trade of trades) if (trade.id > after && trade.id < before) byId.set(trade.id, trade);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** Whether the ids run from `after + 1` without a hole and, where `before` is finite, right up to it. */
export function isWhole(trades: readonly NumberedTrade[], after: number, before: number): boolean {
  const last = trades.at(-1)?.id ?? after;
  return last - after === trades.length && (before === Number.POSITIVE_INFINITY || last === before - 1);
}
