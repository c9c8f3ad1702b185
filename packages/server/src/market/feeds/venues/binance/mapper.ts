// Binance spot streams → quotes and trades. Format: web-socket-streams.md of github.com/binance/binance-spot-api-docs.
// Quirks:
// - `m` true means the buyer was the maker, so the taker sold.
// - A trade has two times: `T` of the trade, `E` of the message. The event gets `T`.
// - bookTicker has no time on spot: it gets the venue's clock as estimated by venue-clock.ts.
// - A combined stream wraps the payload in {stream, data}, a raw one does not; both are accepted.
import type { MarketSymbol, Side } from '@tickwire/engine';
import { type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asMs, asPrice, asRecord, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';
import { VenueClock } from '../venue-clock.ts';

type Raw = Readonly<Record<string, unknown>>;

export function binanceMapper(symbols: SymbolMap): Mapper {
  const clock = new VenueClock();
  return (text, receivedAt) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    if ('id' in message && !('stream' in message)) return reply(message);
    const data = asRecord('stream' in message ? message.data : message);
    if (!data) return rejected('stream without data', message.stream);
    const isQuote = data.e === undefined ? 'b' in data && 'a' in data && 's' in data : data.e === 'bookTicker';
    if (data.e === 'serverShutdown') return { ...NOTHING, closing: 'the server is about to shut down' };
    if (!isQuote && data.e !== 'trade') return rejected('unknown event', data.e ?? message.stream ?? text);
    const symbol = symbols.get(asText(data.s) ?? '');
    if (symbol === undefined) return rejected('unknown symbol', data.s);
    return isQuote ? quote(data, symbol, receivedAt, clock) : trade(data, symbol, receivedAt, clock);
  };
}

function reply({ id, result, error, code, msg }: Raw): Mapped {
  const request = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  if (result === null) return { ...NOTHING, replies: [{ request, error: null }] };
  const detail = error ?? (code !== undefined ? { code, msg } : undefined);
  if (detail === undefined) return rejected('unknown reply', result);
  return { ...NOTHING, replies: [{ request, error: String(JSON.stringify(detail)) }] };
}

function quote(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  const bid = asPrice(data.b);
  const ask = asPrice(data.a);
  const bidSize = asSize(data.B);
  const askSize = asSize(data.A);
  if (bid === null || ask === null) return rejected('quote without price', { b: data.b, a: data.a });
  if (bidSize === null || askSize === null) return rejected('quote without size', { B: data.B, A: data.A });
  // The bookTicker of derivatives has a time.
  const time = asMs(data.T) ?? clock.timeOf(symbol, receivedAt);
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
}

function trade(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  // Derivatives report liquidations and fills of the insurance fund as trades, marked by X; they have no taker.
  if (data.X !== undefined && data.X !== 'MARKET') return rejected('not a market trade', data.X);
  const { t: id, p: price, q: size, T: time, m: buyerIsMaker } = data;
  const event = checkTrade(symbol, { id, price, size, time: asMs(time), side: takerSide(buyerIsMaker) });
  if (typeof event === 'string') return rejected(event, data);
  clock.observe(symbol, asMs(data.E) ?? event.time, receivedAt);
  return { events: [event], complaints: [] };
}

/** A row of /api/v3/historicalTrades or /api/v3/trades. */
export function binanceRestTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const { id, price, qty: size, time, isBuyerMaker } = asRecord(row) ?? {};
  return checkTrade(symbol, { id, price, size, time: asMs(time), side: takerSide(isBuyerMaker) });
}

const takerSide = (buyerIsMaker: unknown): Side | null =>
  typeof buyerIsMaker === 'boolean' ? (buyerIsMaker ? 'sell' : 'buy') : null;
