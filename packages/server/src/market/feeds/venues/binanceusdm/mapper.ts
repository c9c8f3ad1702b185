// Binance USD-M futures → quotes, trades, perpetual data and liquidations. Format: developers.binance.com, USDⓈ-M Futures,
// WebSocket market streams. Quirks:
// - A trade is an aggTrade: fills of one taker order at one price. Its id `a` is contiguous.
// - `m` is true if the buyer was the maker: the taker sold.
// - `T` is the time of the trade or quote, `E` of the message. The event gets `T`.
// - forceOrder is a snapshot: at most the newest liquidation of each symbol and second.
import type { MarketSymbol, Side } from '@tickwire/engine';
import { type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asMs, asPrice, asRecord, asSigned, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';

type Raw = Readonly<Record<string, unknown>>;

export function binanceusdmMapper(symbols: SymbolMap): Mapper {
  return (text) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    if ('id' in message) return reply(message);
    const data = asRecord(message.data);
    if (!data) return rejected('stream without data', message.stream ?? text);
    const about = data.e === 'forceOrder' ? asRecord(data.o) : data;
    const read = READERS.get(data.e);
    if (!read || !about) return rejected('unknown event', data.e ?? message.stream);
    const symbol = symbols.get(asText(about.s) ?? '');
    return symbol === undefined ? rejected('unknown symbol', about.s) : read(about, symbol);
  };
}

const READERS = new Map<unknown, (data: Raw, symbol: MarketSymbol) => Mapped>([
  ['bookTicker', quote],
  ['aggTrade', trade],
  ['markPriceUpdate', perpetual],
  ['forceOrder', liquidation],
]);

function reply({ id, result, error, code, msg }: Raw): Mapped {
  const request = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  if (result === null) return { ...NOTHING, replies: [{ request, error: null }] };
  // The answer to the heartbeat.
  if (Array.isArray(result)) return NOTHING;
  const detail = error ?? (code !== undefined ? { code, msg } : undefined);
  if (detail === undefined) return rejected('unknown reply', result);
  return { ...NOTHING, replies: [{ request, error: String(JSON.stringify(detail)) }] };
}

function quote(data: Raw, symbol: MarketSymbol): Mapped {
  const time = asMs(data.T);
  const bid = asPrice(data.b);
  const ask = asPrice(data.a);
  const bidSize = asSize(data.B);
  const askSize = asSize(data.A);
  if (time === null) return rejected('quote without time', data.T);
  if (bid === null || ask === null) return rejected('quote without price', { b: data.b, a: data.a });
  if (bidSize === null || askSize === null) return rejected('quote without size', { B: data.B, A: data.A });
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
}

function trade(data: Raw, symbol: MarketSymbol): Mapped {
  const event = binanceusdmTrade(data, symbol);
  return typeof event === 'string' ? rejected(event, data) : { events: [event], complaints: [] };
}

/** An aggTrade of the stream, or a row of /fapi/v1/aggTrades: the fields have the same names. */
export function binanceusdmTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const { a: id, p: price, q: size, T, m } = asRecord(row) ?? {};
  const side = typeof m === 'boolean' ? (m ? 'sell' : 'buy') : null;
  return checkTrade(symbol, { id, price, size, time: asMs(T), side });
}

function perpetual(data: Raw, symbol: MarketSymbol): Mapped {
  const time = asMs(data.E);
  const markPrice = asPrice(data.p);
  const indexPrice = asPrice(data.i);
  if (time === null || markPrice === null || indexPrice === null) return rejected('perpetual data incomplete', data);
  // Empty for a contract without funding.
  const fundingRate = asSigned(data.r);
  const nextFundingTime = asMs(data.T);
  const funding = fundingRate !== null && nextFundingTime !== null && { fundingRate, nextFundingTime };
  return { ...NOTHING, perpetuals: [{ symbol, time, markPrice, indexPrice, ...funding }] };
}

const SIDES = new Map<unknown, Side>([
  ['BUY', 'buy'],
  ['SELL', 'sell'],
]);

/** The price is the average of the fills, the size what was filled. */
function liquidation(order: Raw, symbol: MarketSymbol): Mapped {
  const time = asMs(order.T);
  const price = asPrice(order.ap);
  const size = asPrice(order.z);
  const side = SIDES.get(order.S);
  if (time === null || price === null || size === null || side === undefined)
    return rejected('liquidation incomplete', order);
  return { ...NOTHING, liquidations: [{ symbol, time, price, size, side }] };
}
