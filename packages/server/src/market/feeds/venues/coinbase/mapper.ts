// Coinbase Exchange → quotes and trades. Format: docs.cdp.coinbase.com/exchange/websocket-feed/channels.
// Quirks:
// - `side` of a match is the MAKER's: a maker's sell was lifted by a buyer.
// - Quotes are the best levels of the book: `ticker` has them only at trades. `level2_batch` needs no account (since August
//   2023 level2, level3 and full do). It sends a snapshot, then the changes of each 50 ms, with absolute sizes and without
//   sequence numbers: the venue guarantees their delivery. The list of subscriptions calls the channel `level2_50`.
// - A subscription is followed by `last_match`, an earlier trade. It is skipped: it was counted when it happened, or is
//   backfilled.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import { ALL_REQUESTS, type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asInstant, asMs, asPrice, asRecord, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';
import { type BookLevel, OrderBook } from '../order-book.ts';

type Raw = Readonly<Record<string, unknown>>;

/** A book that stays crossed for this many changes, about a second, has lost one: only a new snapshot can repair it. */
const MAX_CROSSED = 20;

/** One connection: each has its own snapshots. */
export function coinbaseMapper(symbols: SymbolMap): Mapper {
  const quotes = new BookQuotes();
  return (text, receivedAt) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    switch (message.type) {
      case 'match':
      case 'snapshot':
      case 'l2update': {
        const symbol = symbols.get(asText(message.product_id) ?? '');
        if (symbol === undefined) return rejected('unknown symbol', message.product_id);
        if (message.type === 'match') return trade(message, symbol);
        return message.type === 'snapshot'
          ? quotes.snapshot(message, symbol, receivedAt)
          : quotes.update(message, symbol);
      }
      case 'heartbeat':
      case 'last_match':
        return NOTHING;
      case 'subscriptions':
        return subscriptions(message);
      case 'error':
        return refused(message);
      default:
        return rejected('unknown type', message.type ?? text);
    }
  };
}

export const coinbaseReplyKey = (channel: unknown, product: unknown): string => `${String(channel)} ${String(product)}`;

/** The complete list of active subscriptions. */
function subscriptions({ channels }: Raw): Mapped {
  if (!Array.isArray(channels)) return rejected('subscriptions without channels', channels);
  const replies = (channels as unknown[]).flatMap((entry) => {
    const { name, product_ids } = asRecord(entry) ?? {};
    const products = Array.isArray(product_ids) ? (product_ids as unknown[]) : [];
    const channel = name === 'level2_50' ? 'level2_batch' : asText(name);
    return products.map((product) => ({ request: coinbaseReplyKey(channel, asText(product)), error: null }));
  });
  return { ...NOTHING, replies };
}

function refused({ message, reason }: Raw): Mapped {
  const error = [message, reason].filter((part) => typeof part === 'string').join(': ') || 'no reason given';
  // Errors name no request. One that arrives after the confirmation also ends the connection.
  return { ...NOTHING, replies: [{ request: ALL_REQUESTS, error }] };
}

/** Best prices of the books. */
class BookQuotes {
  readonly #books = new Map<MarketSymbol, { readonly book: OrderBook; crossed: number }>();

  snapshot(message: Raw, symbol: MarketSymbol, receivedAt: number): Mapped {
    const [bids, asks] = [readLevels(message.bids), readLevels(message.asks)];
    if (!bids || !asks) return { ...rejected('snapshot without levels', message), closing: 'unusable snapshot' };
    const state = { book: new OrderBook(), crossed: 0 };
    state.book.load(bids, asks);
    this.#books.set(symbol, state);
    // Snapshots have a time only since 2024.
    return this.#quote(symbol, asInstant(message.time) ?? asMs(receivedAt));
  }

  update(message: Raw, symbol: MarketSymbol): Mapped {
    const state = this.#books.get(symbol);
    if (!state) return rejected('change without snapshot', message);
    const time = asInstant(message.time);
    const changes = Array.isArray(message.changes) ? (message.changes as unknown[]).map(readChange) : [null];
    // Without these changes the book is wrong from here on.
    if (time === null || !changes.every((change) => change !== null))
      return { ...rejected('change that is not one', message), closing: 'unusable change of the book' };
    for (const { side, price, size } of changes) state.book.set(side, price, size);
    return this.#quote(symbol, time);
  }

  #quote(symbol: MarketSymbol, time: EpochMs | null): Mapped {
    const state = this.#books.get(symbol)!;
    if (state.book.isTooLarge) return { ...NOTHING, closing: `the book of ${symbol} is too large` };
    const best = state.book.change();
    if (best === 'crossed') {
      const closing = ++state.crossed >= MAX_CROSSED && { closing: `the book of ${symbol} stays crossed` };
      return { ...rejected('crossed book', symbol), ...closing };
    }
    state.crossed = 0;
    if (!best || time === null) return NOTHING;
    return { events: [{ kind: 'quote', symbol, time, ...best }], complaints: [] };
  }
}

/** Rows of a snapshot, `[price, size]`; `null` if one is not. */
function readLevels(rows: unknown): BookLevel[] | null {
  if (!Array.isArray(rows)) return null;
  const levels: BookLevel[] = [];
  for (const row of rows as unknown[]) {
    const [price, size] = Array.isArray(row) ? [asPrice(row[0]), asSize(row[1])] : [null, null];
    if (price === null || size === null) return null;
    levels.push([price, size]);
  }
  return levels;
}

/** `["buy" or "sell", price, size]` */
function readChange(
  row: unknown,
): { readonly side: 'bid' | 'ask'; readonly price: number; readonly size: number } | null {
  if (!Array.isArray(row)) return null;
  const [side, price, size] = [row[0] as unknown, asPrice(row[1]), asSize(row[2])];
  if ((side !== 'buy' && side !== 'sell') || price === null || size === null) return null;
  return { side: side === 'buy' ? 'bid' : 'ask', price, size };
}

function trade(message: Raw, symbol: MarketSymbol): Mapped {
  const event = coinbaseTrade(message, symbol);
  return typeof event === 'string' ? rejected(event, message) : { events: [event], complaints: [] };
}

/** A match, or a row of /products/{id}/trades, which has the same fields. Returns the trade or the name of the problem. */
export function coinbaseTrade(raw: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const { trade_id: id, price, size, time, side: maker } = asRecord(raw) ?? {};
  const side = maker === 'sell' ? 'buy' : maker === 'buy' ? 'sell' : null;
  return checkTrade(symbol, { id, price, size, time: asInstant(time), side });
}
