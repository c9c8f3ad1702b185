// Binance spot streams → quotes and trades. Format: web-socket-streams.md of github.com/binance/binance-spot-api-docs.
// Quirks:
// - `m` true means the buyer was the maker, so the taker sold.
// - A trade has two times: `T` of the trade, `E` of the message. `T` is the event's time.
// - bookTicker has no time at all on spot: it gets the venue's clock as venue-clock.ts knows it.
// - A combined stream wraps the payload in {stream, data}, a raw one does not; both are read.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import type { NumberedTrade } from '../missed-trades.ts';
import { asId, asMs, asPrice, asRecord, asSize, asText, parse } from '../raw-values.ts';
import { complain, type Mapped, type Mapper, NOTHING, type SymbolMap } from '../venue.ts';
import { VenueClock } from '../venue-clock.ts';

type Raw = Readonly<Record<string, unknown>>;

export function binanceMapper(symbols: SymbolMap): Mapper {
  const clock = new VenueClock();
  return (text, receivedAt) => {
    const message = asRecord(parse(text));
    if (!message) return complain('not a JSON object', text);
    if ('id' in message && !('stream' in message)) return answer(message);
    const data = asRecord('stream' in message ? message.data : message);
    if (!data) return complain('stream without data', message.stream);
    const isQuote = data.e === undefined ? 'b' in data && 'a' in data && 's' in data : data.e === 'bookTicker';
    if (data.e === 'serverShutdown') return { ...NOTHING, leaving: 'the server is about to shut down' };
    if (!isQuote && data.e !== 'trade') return complain('unknown event', data.e ?? message.stream ?? text);
    const symbol = symbols.get(asText(data.s) ?? '');
    if (symbol === undefined) return complain('unknown symbol', data.s);
    return isQuote ? quote(data, symbol, receivedAt, clock) : trade(data, symbol, receivedAt, clock);
  };
}

function answer({ id, result, error, code, msg }: Raw): Mapped {
  const request = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  if (result === null) return { ...NOTHING, answers: [{ request, error: null }] };
  const detail = error ?? (code !== undefined ? { code, msg } : undefined);
  if (detail === undefined) return complain('unknown answer', result);
  return { ...NOTHING, answers: [{ request, error: String(JSON.stringify(detail)) }] };
}

function quote(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  const bid = asPrice(data.b);
  const ask = asPrice(data.a);
  const bidSize = asSize(data.B);
  const askSize = asSize(data.A);
  if (bid === null || ask === null) return complain('quote without price', { b: data.b, a: data.a });
  if (bidSize === null || askSize === null) return complain('quote without size', { B: data.B, A: data.A });
  // The derivatives' bookTicker has a time.
  const time = asMs(data.T) ?? clock.at(symbol, receivedAt);
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
}

function trade(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  // Derivatives report fills of the insurance fund and liquidations as trades; they carry an X, and met no taker.
  if (data.X !== undefined && data.X !== 'MARKET') return complain('not a market trade', data.X);
  const event = tradeOf(symbol, data.t, data.p, data.q, data.T, data.m);
  if (typeof event === 'string') return complain(event, data);
  clock.saw(symbol, asMs(data.E) ?? event.time, receivedAt);
  return { events: [event], complaints: [] };
}

/** A row of /api/v3/historicalTrades or /api/v3/trades. */
export function binanceRestTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const { id, price, qty, time, isBuyerMaker } = asRecord(row) ?? {};
  return tradeOf(symbol, id, price, qty, time, isBuyerMaker);
}

/** The trade, or the name of what is wrong with it. */
function tradeOf(
  symbol: MarketSymbol,
  rawId: unknown,
  rawPrice: unknown,
  rawSize: unknown,
  rawTime: unknown,
  buyerIsMaker: unknown,
): NumberedTrade | string {
  const id = asId(rawId);
  const price = asPrice(rawPrice);
  const size = asSize(rawSize);
  const time: EpochMs | null = asMs(rawTime);
  if (id === null) return 'trade without id';
  if (price === null) return 'trade without price';
  if (size === null || size === 0) return 'trade without size';
  if (time === null) return 'trade without time';
  if (typeof buyerIsMaker !== 'boolean') return 'trade without side';
  return { kind: 'trade', symbol, time, price, size, side: buyerIsMaker ? 'sell' : 'buy', sideMethod: null, id };
}
