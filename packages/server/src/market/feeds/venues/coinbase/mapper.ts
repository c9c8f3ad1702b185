// Coinbase Exchange → quotes and trades. Format: docs.cdp.coinbase.com/exchange/websocket-feed/channels.
// Quirks:
// - `side` of a match is the MAKER's: a maker's sell was lifted by a buyer.
// - `ticker` sends the best prices with each trade, not with each change, so quotes rest between trades. The channel with
//   every change, level2, requires an account.
// - A subscription is followed by `last_match`, an earlier trade. It is skipped: it was counted when it happened, or is
//   backfilled.
import type { MarketSymbol } from '@tickwire/engine';
import { ALL_REQUESTS, type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asInstant, asPrice, asRecord, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';

type Raw = Readonly<Record<string, unknown>>;

export function coinbaseMapper(symbols: SymbolMap): Mapper {
  return (text) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    switch (message.type) {
      case 'match':
      case 'ticker': {
        const symbol = symbols.get(asText(message.product_id) ?? '');
        if (symbol === undefined) return rejected('unknown symbol', message.product_id);
        return message.type === 'match' ? trade(message, symbol) : quote(message, symbol);
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
    return products.map((product) => ({ request: coinbaseReplyKey(asText(name), asText(product)), error: null }));
  });
  return { ...NOTHING, replies };
}

function refused({ message, reason }: Raw): Mapped {
  const error = [message, reason].filter((part) => typeof part === 'string').join(': ') || 'no reason given';
  // Errors name no request. One that arrives after the confirmation also ends the connection.
  return { ...NOTHING, replies: [{ request: ALL_REQUESTS, error }] };
}

function quote(message: Raw, symbol: MarketSymbol): Mapped {
  const bid = asPrice(message.best_bid);
  const ask = asPrice(message.best_ask);
  // Old recordings have no sizes.
  const bidSize = asSize(message.best_bid_size ?? 0);
  const askSize = asSize(message.best_ask_size ?? 0);
  const time = asInstant(message.time);
  if (bid === null || ask === null) return rejected('quote without price', message);
  if (bidSize === null || askSize === null) return rejected('quote without size', message);
  if (time === null) return rejected('quote without time', message.time);
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
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
