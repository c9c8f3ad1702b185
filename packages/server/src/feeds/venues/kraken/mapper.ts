// Kraken WebSocket v2 → quotes and trades. Format: docs.kraken.com, Spot WebSocket v2 (trade, ticker, heartbeat, status).
// Quirks:
// - `side` is the taker's. `trade_id` counts per book.
// - One message may hold several trades, of several takers: one bad row does not spoil the others.
// - `ticker` says when it was made only since 2025; without `timestamp` it gets the venue's clock.
// - A trade snapshot repeats what is known: it is not asked for, and skipped where it comes.
import type { MarketSymbol } from '@tickwire/engine';
import type { NumberedTrade } from '../missed-trades.ts';
import { asId, asInstant, asMs, asPrice, asRecord, asSize, asText, parse } from '../raw-values.ts';
import { complain, complaint, type Mapped, type Mapper, NOTHING, type SymbolMap, type VenueEvent } from '../venue.ts';
import { VenueClock } from '../venue-clock.ts';

type Raw = Readonly<Record<string, unknown>>;

export function krakenMapper(symbols: SymbolMap): Mapper {
  const clock = new VenueClock();
  return (text, receivedAt) => {
    const message = asRecord(parse(text));
    if (!message) return complain('not a JSON object', text);
    if (message.method === 'pong') return NOTHING;
    if (message.method === 'subscribe') return answer(message);
    switch (message.channel) {
      case 'heartbeat':
        return NOTHING;
      case 'status':
        return status(message);
      case 'trade':
        if (message.type === 'snapshot') return NOTHING;
        return rows(message, symbols, (row, symbol) => {
          const event = trade(row, symbol);
          if (typeof event !== 'string') clock.saw(symbol, event.time, receivedAt);
          return event;
        });
      case 'ticker':
        return rows(message, symbols, (row, symbol) => {
          const time = asInstant(row.timestamp) ?? clock.at(symbol, receivedAt);
          return quote(row, symbol, time);
        });
      default:
        return complain('unknown channel', message.channel ?? message.error ?? text);
    }
  };
}

export const grantOf = (requestId: unknown, venueSymbol: unknown): string =>
  `${String(requestId)} ${String(venueSymbol)}`;

function answer({ req_id, success, error, symbol, result }: Raw): Mapped {
  if (typeof success !== 'boolean' || asId(req_id) === null) return complain('unknown answer', { req_id, success });
  const request = grantOf(req_id, asRecord(result)?.symbol ?? symbol);
  return { ...NOTHING, answers: [{ request, error: success ? null : (asText(error) ?? 'without a reason') }] };
}

/** The exchange may be in maintenance while the socket lives. */
function status({ data }: Raw): Mapped {
  const system = asRecord(Array.isArray(data) ? data[0] : null)?.system;
  return system === 'online' ? NOTHING : complain('venue not online', system);
}

function rows(
  { channel, data }: Raw,
  symbols: SymbolMap,
  read: (row: Raw, symbol: MarketSymbol) => VenueEvent | string,
): Mapped {
  if (!Array.isArray(data)) return complain('channel without data', channel);
  const events: VenueEvent[] = [];
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

function quote(row: Raw, symbol: MarketSymbol, time: VenueEvent['time']): VenueEvent | string {
  const bid = asPrice(row.bid);
  const ask = asPrice(row.ask);
  const bidSize = asSize(row.bid_qty);
  const askSize = asSize(row.ask_qty);
  if (bid === null || ask === null) return 'quote without price';
  if (bidSize === null || askSize === null) return 'quote without size';
  return { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
}

function trade(row: Raw, symbol: MarketSymbol): NumberedTrade | string {
  const side = row.side === 'buy' || row.side === 'sell' ? row.side : null;
  return tradeOf(symbol, asId(row.trade_id), row.price, row.qty, asInstant(row.timestamp), side);
}

/** A row of /0/public/Trades: [price, volume, seconds, b or s, m or l, misc, id]. */
export function krakenRestTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  if (!Array.isArray(row)) return 'trade that is no row';
  const [price, size, seconds, taker, , , id] = row as unknown[];
  // Through whole microseconds: 1616333924.737 × 1000 as a float lies below its millisecond.
  const time = typeof seconds === 'number' ? asMs(Math.floor(Math.round(seconds * 1e6) / 1e3)) : null;
  return tradeOf(symbol, asId(id), price, size, time, taker === 'b' ? 'buy' : taker === 's' ? 'sell' : null);
}

/** The trade, or the name of what is wrong with it. */
function tradeOf(
  symbol: MarketSymbol,
  id: number | null,
  rawPrice: unknown,
  rawSize: unknown,
  time: NumberedTrade['time'] | null,
  side: NumberedTrade['side'] | null,
): NumberedTrade | string {
  const price = asPrice(rawPrice);
  const size = asSize(rawSize);
  if (id === null) return 'trade without id';
  if (price === null) return 'trade without price';
  if (size === null || size === 0) return 'trade without size';
  if (time === null) return 'trade without time';
  if (side === null) return 'trade without side';
  return { kind: 'trade', symbol, time, price, size, side, sideMethod: null, id };
}
