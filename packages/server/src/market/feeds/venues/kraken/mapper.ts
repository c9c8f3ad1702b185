// Kraken WebSocket v2 → quotes and trades. Format: docs.kraken.com, Spot WebSocket v2 (trade, ticker, heartbeat, status).
// Quirks:
// - `side` is the taker's. `trade_id` counts per book.
// - One message may hold several trades. Each row is checked on its own.
// - `ticker` has a `timestamp` only since 2025; without one it gets the venue's estimated clock.
// - A trade snapshot repeats known trades: it is not requested, and skipped if it arrives.
import type { MarketSymbol, PriceEvent } from '@tickwire/engine';
import { complaint, type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asId, asInstant, asMs, asPrice, asRecord, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';
import { VenueClock } from '../venue-clock.ts';

type Raw = Readonly<Record<string, unknown>>;

export function krakenMapper(symbols: SymbolMap): Mapper {
  const clock = new VenueClock();
  return (text, receivedAt) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    if (message.method === 'pong') return NOTHING;
    if (message.method === 'subscribe') return reply(message, symbols);
    switch (message.channel) {
      case 'heartbeat':
        return NOTHING;
      case 'status':
        return status(message);
      case 'trade':
        if (message.type === 'snapshot') return NOTHING;
        return rows(message, symbols, (row, symbol) => {
          const event = trade(row, symbol);
          if (typeof event !== 'string') clock.observe(symbol, event.time, receivedAt);
          return event;
        });
      case 'ticker':
        return rows(message, symbols, (row, symbol) => {
          const time = asInstant(row.timestamp) ?? clock.timeOf(symbol, receivedAt);
          return quote(row, symbol, time);
        });
      default:
        return rejected('unknown channel', message.channel ?? message.error ?? text);
    }
  };
}

export const krakenReplyKey = (requestId: number, venueSymbol: string): string => `${requestId} ${venueSymbol}`;

/** Each pair has its own: one that is refused does not stop the others. */
function reply({ req_id, success, error, symbol, result }: Raw, symbols: SymbolMap): Mapped {
  const id = asId(req_id);
  if (typeof success !== 'boolean' || id === null) return rejected('unknown reply', { req_id, success });
  const pair = asText(asRecord(result)?.symbol ?? symbol) ?? '';
  const request = krakenReplyKey(id, pair);
  if (success) return { ...NOTHING, replies: [{ request, error: null }] };
  const refused = symbols.get(pair);
  const only = refused !== undefined && { refused };
  return { ...NOTHING, replies: [{ request, error: asText(error) ?? 'no reason given', ...only }] };
}

/** The exchange may be in maintenance while the socket stays open. */
function status({ data }: Raw): Mapped {
  const system = asRecord(Array.isArray(data) ? data[0] : null)?.system;
  if (system === 'online') return NOTHING;
  // Nothing would come until it ends, and another venue may have the prices.
  const closing = system === 'maintenance' && { closing: 'the venue is in maintenance' };
  return { ...rejected('venue not online', system), ...closing };
}

function rows(
  { channel, data }: Raw,
  symbols: SymbolMap,
  read: (row: Raw, symbol: MarketSymbol) => PriceEvent | string,
): Mapped {
  if (!Array.isArray(data)) return rejected('channel without data', channel);
  const events: PriceEvent[] = [];
  const complaints: string[] = [];
  for (const entry of data as unknown[]) {
    const row = asRecord(entry);
    const symbol = symbols.get(asText(row?.symbol) ?? '');
    if (!row || symbol === undefined) {
      complaints.push(complaint('unknown symbol', row ? row.symbol : entry));
      continue;
    }
    const event = read(row, symbol);
    if (typeof event === 'string') complaints.push(complaint(event, row));
    else events.push(event);
  }
  return { events, complaints };
}

function quote(row: Raw, symbol: MarketSymbol, time: PriceEvent['time']): PriceEvent | string {
  const bid = asPrice(row.bid);
  const ask = asPrice(row.ask);
  const bidSize = asSize(row.bid_qty);
  const askSize = asSize(row.ask_qty);
  if (bid === null || ask === null) return 'quote without price';
  if (bidSize === null || askSize === null) return 'quote without size';
  return { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
}

function trade({ trade_id: id, price, qty: size, timestamp, side }: Raw, symbol: MarketSymbol): NumberedTrade | string {
  const taker = side === 'buy' || side === 'sell' ? side : null;
  return checkTrade(symbol, { id, price, size, time: asInstant(timestamp), side: taker });
}

/** A row of /0/public/Trades: [price, volume, seconds, b or s, m or l, misc, id]. */
export function krakenRestTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  if (!Array.isArray(row)) return 'trade that is not a row';
  const [price, size, seconds, taker, , , id] = row as unknown[];
  // Via whole microseconds: 1616333924.737 × 1000 as a float lies just below its millisecond.
  const time = typeof seconds === 'number' ? asMs(Math.floor(Math.round(seconds * 1e6) / 1e3)) : null;
  const side = taker === 'b' ? 'buy' : taker === 's' ? 'sell' : null;
  return checkTrade(symbol, { id, price, size, time, side });
}
