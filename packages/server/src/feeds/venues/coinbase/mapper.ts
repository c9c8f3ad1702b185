// Coinbase Exchange → quotes and trades. Format: docs.cdp.coinbase.com/exchange/websocket-feed/channels.
// Quirks:
// - `side` of a match is the MAKER's: a maker's sell was lifted by a buyer.
// - `ticker` tells the best prices whenever a trade happens, not whenever they change: between trades quotes rest. The
//   channel that would tell more, level2, needs an account.
// - After a subscription comes `last_match`, a trade of before: skipped, for it was counted when it happened, or is
//   fetched as missed.
import type { MarketSymbol } from '@tickwire/engine';
import type { NumberedTrade } from '../missed-trades.ts';
import { asId, asInstant, asPrice, asRecord, asSize, asText, parse } from '../raw-values.ts';
import { complain, type Mapped, type Mapper, NOTHING, type SymbolMap } from '../venue.ts';
import { EVERY_REQUEST } from '../venue-socket.ts';

type Raw = Readonly<Record<string, unknown>>;

export function coinbaseMapper(symbols: SymbolMap): Mapper {
  return (text) => {
    const message = asRecord(parse(text));
    if (!message) return complain('not a JSON object', text);
    switch (message.type) {
      case 'match':
      case 'ticker': {
        const symbol = symbols.get(asText(message.product_id) ?? '');
        if (symbol === undefined) return complain('unknown symbol', message.product_id);
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
        return complain('unknown type', message.type ?? text);
    }
  };
}

export const grantOf = (channel: unknown, product: unknown): string => `${String(channel)} ${String(product)}`;

/** The whole list of what stands now. */
function subscriptions({ channels }: Raw): Mapped {
  if (!Array.isArray(channels)) return complain('subscriptions without channels', channels);
  const answers = (channels as unknown[]).flatMap((entry) => {
    const { name, product_ids } = asRecord(entry) ?? {};
    const products = Array.isArray(product_ids) ? (product_ids as unknown[]) : [];
    return products.map((product) => ({ request: grantOf(asText(name), asText(product)), error: null }));
  });
  return { ...NOTHING, answers };
}

function refused({ message, reason }: Raw): Mapped {
  const error = [message, reason].filter((part) => typeof part === 'string').join(': ') || 'without a reason';
  // Errors name no request. One that comes after the confirmation ends the connection as well: better anew than half.
  return { ...NOTHING, answers: [{ request: EVERY_REQUEST, error }] };
}

function quote(message: Raw, symbol: MarketSymbol): Mapped {
  const bid = asPrice(message.best_bid);
  const ask = asPrice(message.best_ask);
  // Sizes came later than the channel: old recordings have none.
  const bidSize = asSize(message.best_bid_size ?? 0);
  const askSize = asSize(message.best_ask_size ?? 0);
  const time = asInstant(message.time);
  if (bid === null || ask === null) return complain('quote without price', message);
  if (bidSize === null || askSize === null) return complain('quote without size', message);
  if (time === null) return complain('quote without time', message.time);
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
}

function trade(message: Raw, symbol: MarketSymbol): Mapped {
  const event = coinbaseTrade(message, symbol);
  return typeof event === 'string' ? complain(event, message) : { events: [event], complaints: [] };
}

/** A match, or a row of /products/{id}/trades, which has the same fields; or the name of what is wrong with it. */
export function coinbaseTrade(raw: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const row = asRecord(raw);
  const id = asId(row?.trade_id);
  const price = asPrice(row?.price);
  const size = asSize(row?.size);
  const time = asInstant(row?.time);
  if (id === null) return 'trade without id';
  if (price === null) return 'trade without price';
  if (size === null || size === 0) return 'trade without size';
  if (time === null) return 'trade without time';
  if (row?.side !== 'buy' && row?.side !== 'sell') return 'trade without side';
  const side = row.side === 'sell' ? 'buy' : 'sell';
  return { kind: 'trade', symbol, time, price, size, side, sideMethod: null, id };
}
