// Bybit v5 public streams → quotes, trades, and data of perpetuals. Format: bybit-exchange.github.io/docs/v5/websocket/public.
// Quirks:
// - A market has the same name on the sockets of spot and of linear perpetuals: each socket has a mapper of its own. Ours of a
//   perpetual ends with `.P`.
// - `orderbook.1` is always a snapshot. A side that is empty has not changed. Without a change the last one is repeated every
//   three seconds with the same `u`. `cts` is the time of the matching engine, as `T` of trades; `ts` that of the message.
// - `S` of a trade is the taker's side. `i` is a counter on spot and a UUID on linear, so ids of perpetuals reveal no gap.
// - `S` of a liquidation is the side of the position: a long one (`Buy`) is closed by selling.
// - `tickers` of a perpetual sends a snapshot, then only what has changed.
import { type EpochMs, HOUR_MS, type MarketSymbol, type Side, type TradeEvent } from '@tickwire/engine';
import {
  ALL_REQUESTS,
  complaint,
  type Liquidation,
  type Mapped,
  type Mapper,
  NOTHING,
  rejected,
  type SymbolMap,
} from '../../mapper.ts';
import { asMs, asPrice, asQuotedWhole, asRecord, asSigned, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade, withoutId } from '../numbered-trade.ts';
import type { SeenTrades } from '../seen-trades.ts';

type Raw = Readonly<Record<string, unknown>>;
type TopicMapper = (message: Raw) => Mapped;

export type BybitCategory = 'spot' | 'linear';
export const PERPETUAL = '.P';
/** Start of the ids of requests without which prices are complete: a refusal is only a complaint. */
export const OPTIONAL_REQUEST = 'optional';

export const categoryOf = (venueSymbol: string): BybitCategory => (venueSymbol.endsWith(PERPETUAL) ? 'linear' : 'spot');
/** As the venue has it in topics and requests: without our suffix of perpetuals. */
export const bareName = (venueSymbol: string): string =>
  venueSymbol.endsWith(PERPETUAL) ? venueSymbol.slice(0, -PERPETUAL.length) : venueSymbol;

export function bybitMapper(symbols: SymbolMap, category: BybitCategory, seen: SeenTrades): Mapper {
  const topics = new Map<string, TopicMapper>();
  const byName = new Map<string, MarketSymbol>();
  for (const [venueSymbol, symbol] of symbols) {
    if (categoryOf(venueSymbol) !== category) continue;
    const name = bareName(venueSymbol);
    byName.set(name, symbol);
    topics.set(`orderbook.1.${name}`, quoteMapper(symbol));
    if (category === 'spot') topics.set(`publicTrade.${name}`, (message) => spotTrades(message, symbol));
    else {
      topics.set(`publicTrade.${name}`, (message) => linearTrades(message, symbol, seen));
      topics.set(`tickers.${name}`, (message) => ticker(message, symbol));
      topics.set(`allLiquidation.${name}`, (message) => liquidations(message, symbol));
    }
  }
  return (text) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    const { topic } = message;
    if (typeof topic !== 'string') return reply(message, text, byName);
    const map = topics.get(topic);
    return map ? map(message) : rejected('unknown topic', topic);
  };
}

function reply(message: Raw, text: string, byName: ReadonlyMap<string, MarketSymbol>): Mapped {
  const { op, success, ret_msg, req_id } = message;
  if (op === 'ping' || op === 'pong') return NOTHING;
  if (op !== 'subscribe' || typeof success !== 'boolean') return rejected('unknown message', text);
  const request = asText(req_id) ?? '';
  if (success) return { ...NOTHING, replies: [{ request, error: null }] };
  const error = asText(ret_msg) || 'no reason given';
  if (request.startsWith(OPTIONAL_REQUEST)) return rejected('optional topic refused', error);
  // A request for one symbol is named after it. The symbol may be unknown or delisted.
  const refused = error.includes(`.${request}`) ? byName.get(request) : undefined;
  const only = refused !== undefined && { refused };
  return { ...NOTHING, replies: [{ request: request || ALL_REQUESTS, error, ...only }] };
}

interface Level {
  readonly price: number;
  readonly size: number;
}

function quoteMapper(symbol: MarketSymbol): TopicMapper {
  let bid: Level | null = null;
  let ask: Level | null = null;
  let lastUpdate: unknown;
  return ({ type, data, cts, ts }) => {
    const book = asRecord(data);
    if (!book || type !== 'snapshot') return rejected('quote that is not a snapshot', type);
    if (book.u !== undefined && book.u === lastUpdate) return NOTHING;
    const newBid = levelOf(book.b, bid);
    if (typeof newBid === 'string') return rejected(newBid, book);
    const newAsk = levelOf(book.a, ask);
    if (typeof newAsk === 'string') return rejected(newAsk, book);
    const time = asMs(cts) ?? asMs(ts);
    if (time === null) return rejected('quote without time', { cts, ts });
    bid = newBid;
    ask = newAsk;
    lastUpdate = book.u;
    if (!bid || !ask) return NOTHING;
    return {
      events: [{ kind: 'quote', symbol, time, bid: bid.price, bidSize: bid.size, ask: ask.price, askSize: ask.size }],
      complaints: [],
    };
  };
}

/** The best level of `[[price, size]]`; `last` if the side is empty; the name of the problem if it is neither. */
function levelOf(side: unknown, last: Level | null): Level | null | string {
  if (!Array.isArray(side)) return 'quote without price';
  if (side.length === 0) return last;
  const level = side[0] as unknown;
  if (!Array.isArray(level)) return 'quote without price';
  const price = asPrice(level[0]);
  const size = asSize(level[1]);
  if (price === null) return 'quote without price';
  return size === null ? 'quote without size' : { price, size };
}

function spotTrades({ data }: Raw, symbol: MarketSymbol): Mapped {
  if (!Array.isArray(data)) return rejected('topic without data', symbol);
  const events: TradeEvent[] = [];
  const complaints: string[] = [];
  for (const row of data as unknown[]) {
    const { i, p: price, v: size, T: time, S } = asRecord(row) ?? {};
    const trade = checkTrade(symbol, { id: spotId(i), price, size, time: asMs(time), side: sideOf(S) });
    if (typeof trade === 'string') complaints.push(complaint(trade, row));
    else events.push(trade);
  }
  return { events, complaints };
}

/** Without ids, because those of perpetuals are in no order. A repeated trade is recognised by the start of its UUID. */
function linearTrades({ data }: Raw, symbol: MarketSymbol, seen: SeenTrades): Mapped {
  if (!Array.isArray(data)) return rejected('topic without data', symbol);
  const events: TradeEvent[] = [];
  const complaints: string[] = [];
  let duplicates = 0;
  for (const row of data as unknown[]) {
    const { i, p: price, v: size, T: time, S } = asRecord(row) ?? {};
    const id = uuidStart(i);
    const trade = checkTrade(symbol, { id, price, size, time: asMs(time), side: sideOf(S) });
    if (typeof trade === 'string') complaints.push(complaint(trade, row));
    else if (id !== null && seen.add(symbol, id)) events.push(withoutId(trade));
    else duplicates++;
  }
  return { events, complaints, duplicates };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** Its first 48 bits: a number that is exact. */
const uuidStart = (id: unknown): number | null =>
  typeof id === 'string' && UUID.test(id)
    ? Number.parseInt(id.slice(0, 8), 16) * 0x1_0000 + Number.parseInt(id.slice(9, 13), 16)
    : null;

const LONG_ID = /^\d{3}000\d{13}$/;
/** Of the counter in a long id, without the zeros. */
const COUNTER_DIGITS = 1e13;

/**
 * Ids of spot have 19 digits (`2290000001190010739`), too many for an exact number: a prefix of three, and a counter whose first
 * digits are zero. Without three of these zeros the number is exact, and consecutive ids stay consecutive.
 */
export function spotId(id: unknown): number | null {
  if (typeof id !== 'string' || !LONG_ID.test(id)) return asQuotedWhole(id);
  const exact = Number(id.slice(0, 3)) * COUNTER_DIGITS + Number(id.slice(6));
  return Number.isSafeInteger(exact) ? exact : null;
}

const sideOf = (side: unknown): Side | null => (side === 'Buy' ? 'buy' : side === 'Sell' ? 'sell' : null);

function ticker({ data, ts }: Raw, symbol: MarketSymbol): Mapped {
  const values = asRecord(data);
  const time = asMs(ts);
  if (!values || time === null) return rejected('ticker without data', { ts, data });
  const markPrice = asPrice(values.markPrice);
  const indexPrice = asPrice(values.indexPrice);
  const fundingRate = asSigned(values.fundingRate);
  const nextFundingTime = asMs(asQuotedWhole(values.nextFundingTime));
  const hours = asQuotedWhole(values.fundingIntervalHour);
  const openInterest = asSize(values.openInterest);
  const update = {
    symbol,
    time,
    ...(markPrice !== null && { markPrice }),
    ...(indexPrice !== null && { indexPrice }),
    ...(fundingRate !== null && { fundingRate }),
    ...(hours && { fundingIntervalMs: hours * HOUR_MS }),
    ...(nextFundingTime !== null && { nextFundingTime }),
    ...(openInterest !== null && { openInterest }),
  };
  // A change of the last price, say, is none of these.
  return Object.keys(update).length > 2 ? { ...NOTHING, perpetuals: [update] } : NOTHING;
}

function liquidations({ data }: Raw, symbol: MarketSymbol): Mapped {
  if (!Array.isArray(data)) return rejected('topic without data', symbol);
  const found: Liquidation[] = [];
  const complaints: string[] = [];
  for (const row of data as unknown[]) {
    const { T, S, v, p } = asRecord(row) ?? {};
    const [time, position, price, size] = [asMs(T), sideOf(S), asPrice(p), asPrice(v)];
    if (time === null || position === null || price === null || size === null)
      complaints.push(complaint('unusable liquidation', row));
    else found.push({ symbol, time, price, size, side: position === 'buy' ? 'sell' : 'buy' });
  }
  return { events: [], complaints, liquidations: found };
}

/** A row of /v5/market/recent-trade of spot. */
export function bybitRestTrade(row: unknown, symbol: MarketSymbol): NumberedTrade | string {
  const { execId, price, size, side, time } = asRecord(row) ?? {};
  const at: EpochMs | null = asMs(asQuotedWhole(time));
  return checkTrade(symbol, { id: spotId(execId), price, size, time: at, side: sideOf(side) });
}
