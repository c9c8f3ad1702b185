// Binance's USD-M futures streams and market data REST, after developers.binance.com (USDⓈ-M Futures): best prices at
// /public/stream, trades, mark prices and liquidations at /market/stream. Neither sends the streams of the other.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { FakeAllowance } from './fake-allowance.fixture.ts';
import { candlesOf } from './fake-candles.fixture.ts';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const MAX_TRADES = 1_000;
const MAX_KLINES = 1_500;
const PATHS: Readonly<Record<string, readonly string[]>> = {
  '/public/stream': ['bookTicker', 'depth'],
  '/market/stream': ['aggTrade', 'markPrice', 'forceOrder'],
};
const LENGTHS: Readonly<Record<string, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };
const EIGHT_HOURS_MS = 8 * HOUR_MS;

const msOf = (timeUs: number): number => Math.floor(timeUs / 1_000);
const frame = (stream: string, data: unknown): string => JSON.stringify({ stream, data });

const tradeRow = (trade: FakeTrade, p: unknown = trade.price) => ({
  a: trade.id,
  p,
  q: trade.size,
  f: 2 * trade.id,
  l: 2 * trade.id + 1,
  T: msOf(trade.timeUs),
  m: trade.taker === 'sell',
});

const tradeFrame = (trade: FakeTrade, price?: unknown): string =>
  frame(`${trade.symbol.toLowerCase()}@aggTrade`, {
    e: 'aggTrade',
    E: msOf(trade.timeUs) + 5,
    s: trade.symbol,
    ...tradeRow(trade, price),
  });

/** `p` is the price of the bankruptcy, `ap` the average of the fills. */
function liquidationFrame({ symbol: s, taker, size: q, price: ap, timeUs }: FakeTrade): string {
  const T = msOf(timeUs);
  const o = { s, S: taker.toUpperCase(), o: 'LIMIT', f: 'IOC', q, p: '1.00', ap, X: 'FILLED', l: q, z: q, T };
  return frame(`${s.toLowerCase()}@forceOrder`, { e: 'forceOrder', E: T + 5, o });
}

/** Whether the socket carries the stream and the client has subscribed to it. */
const wants = (client: FakeClient, symbol: string, name: string): boolean =>
  (PATHS[client.url.pathname] ?? []).includes(name) && client.subscribed.has(`${symbol.toLowerCase()}@${name}`);

export interface FakeBinanceusdmOptions {
  /** 2,400 at Binance; no limit by default. */
  readonly weightsPerMinute?: number;
}

export function fakeBinanceusdm(
  listed: readonly string[] = ['BTCUSDT', 'ETHUSDT', 'XAUUSDT'],
  { weightsPerMinute }: FakeBinanceusdmOptions = {},
): FakeProtocol {
  const allowance = new FakeAllowance(weightsPerMinute);
  return {
    framesPerSecond: 10,
    socketsPerConnection: 2,
    streamPath: '',
    accepts: (url) => url.pathname in PATHS,
    greet: () => undefined,
    receive(client, { method, params, id }) {
      const streams = Array.isArray(params) ? params.map(String) : [];
      if (method === 'LIST_SUBSCRIPTIONS') {
        client.send(JSON.stringify({ result: [...client.subscribed], id }));
        return;
      }
      if (method === 'SUBSCRIBE') for (const stream of streams) client.subscribed.add(stream);
      else if (method === 'UNSUBSCRIBE') for (const stream of streams) client.subscribed.delete(stream);
      else {
        const msg = `Invalid request: unknown variant ${String(method)}`;
        client.send(JSON.stringify({ error: { code: 2, msg }, id }));
        return;
      }
      client.send(JSON.stringify({ result: null, id }));
    },
    trades: (client, trades) =>
      trades.flatMap((trade) => (wants(client, trade.symbol, 'aggTrade') ? tradeFrame(trade) : [])),
    quote(client, { symbol: s, bid: b, bidSize: B, ask: a, askSize: A, updateId: u, timeUs }) {
      if (!wants(client, s, 'bookTicker')) return null;
      const T = msOf(timeUs);
      return frame(`${s.toLowerCase()}@bookTicker`, { e: 'bookTicker', u, s, b, B, a, A, T, E: T + 1 });
    },
    liquidation: (client, like) => (wants(client, like.symbol, 'forceOrder') ? liquidationFrame(like) : null),
    heartbeats: (client, tape) =>
      listed.flatMap((s) => {
        if (!wants(client, s, 'markPrice')) return [];
        const T = tape.now - (tape.now % EIGHT_HOURS_MS) + EIGHT_HOURS_MS;
        const data = { e: 'markPriceUpdate', E: tape.now, s, p: '60001.00000000', i: '60000.50000000', r: '0.0001', T };
        return frame(`${s.toLowerCase()}@markPrice`, data);
      }),
    rest: (url, tape) => allowance.refuse(weightOf(url)) ?? rest(url, tape, listed),
    invalidMessages: (s) => [
      JSON.stringify({ stream: 'btcusdt@aggTrade' }),
      frame('x@y', { e: 'brandNewEvent', E: 1, s }),
      frame('x@aggTrade', { e: 'aggTrade', s, a: 'seven', p: 5, q: null, T: 'now', m: 'yes' }),
      frame('x@aggTrade', { e: 'aggTrade', s: 'NOSUCH', a: 1, p: '1', q: '1', T: 1, m: true }),
      frame('x@bookTicker', { e: 'bookTicker', s, T: 1, b: '', B: {}, a: [], A: false }),
    ],
    malformedTrade: (client, trade) => (wants(client, trade.symbol, 'aggTrade') ? tradeFrame(trade, null) : null),
  };
}

const errorResponse = (code: number, msg: string): Response => Response.json({ code, msg }, { status: 400 });

function weightOf({ pathname, searchParams }: URL): number {
  if (pathname.endsWith('/aggTrades')) return 20;
  if (!pathname.endsWith('/klines')) return pathname.endsWith('/price') ? 2 : 1;
  const limit = Number(searchParams.get('limit') ?? 500);
  if (limit < 100) return 1;
  return limit < 500 ? 2 : limit <= 1_000 ? 5 : 10;
}

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  const query = url.searchParams;
  if (url.pathname === '/fapi/v1/exchangeInfo')
    return Response.json({ timezone: 'UTC', symbols: [...listed.map((name) => contract(name)), ...OTHERS] });
  if (url.pathname === '/fapi/v1/ticker/price')
    return Response.json(listed.map((symbol) => ({ symbol, price: '60001.00', time: tape.now })));
  const symbol = query.get('symbol') ?? '';
  if (!/^\/fapi\/v1\/(aggTrades|klines)$/.test(url.pathname)) return null;
  if (!listed.includes(symbol)) return errorResponse(-1121, 'Invalid symbol.');
  if (url.pathname.endsWith('klines')) return klines(query, symbol, tape);
  const limit = Math.min(Number(query.get('limit') ?? 500), MAX_TRADES);
  const from = Number(query.get('fromId') ?? 0);
  const later = tape.of(symbol).filter(({ id }) => id >= from);
  return Response.json(later.slice(0, limit).map((trade) => tradeRow(trade)));
}

/** The venue has a row for every interval, also for those without trades. */
function klines(query: URLSearchParams, symbol: string, tape: FakeTape): Response {
  const length = LENGTHS[query.get('interval') ?? ''];
  if (!length) return errorResponse(-1120, 'Invalid interval.');
  const limit = Math.min(Number(query.get('limit') ?? 500), MAX_KLINES);
  const first = tape.of(symbol)[0];
  const listedAt = tape.listedAt ?? (first ? msOf(first.timeUs) : tape.now);
  const start = Math.ceil(Number(query.get('startTime') ?? 0) / length) * length;
  const from = Math.max(listedAt - (listedAt % length), start);
  const to = Math.min(tape.now, from + (limit - 1) * length);
  const candles = new Map(candlesOf(tape, symbol, length, from, to).map((candle) => [candle.time, candle]));
  const rows: unknown[] = [];
  let price = first?.price ?? '60000.00';
  for (let t = from; t <= to; t += length) {
    const { open, high, low, close, volume, bought } = candles.get(t) ?? {
      ...{ open: price, high: price, low: price, close: price },
      ...{ volume: '0', bought: '0' },
    };
    price = close;
    rows.push([t, open, high, low, close, volume, t + length - 1, '0', 1, bought, '0', '0']);
  }
  return Response.json(rows);
}

const contract = (symbol: string, status = 'TRADING') => {
  const baseAsset = symbol.replace('USDT', '');
  const isMetal = baseAsset === 'XAU';
  return {
    symbol,
    pair: symbol,
    contractType: isMetal ? 'TRADIFI_PERPETUAL' : 'PERPETUAL',
    status,
    baseAsset,
    quoteAsset: 'USDT',
    marginAsset: 'USDT',
    underlyingType: isMetal ? 'COMMODITY' : 'COIN',
    filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '200000', tickSize: '0.01' }],
  };
};

/** Contracts that are listed but not offered. */
const OTHERS = [{ ...contract('BTCUSDT_261225'), contractType: 'CURRENT_QUARTER' }, contract('LUNAUSDT', 'SETTLING')];
