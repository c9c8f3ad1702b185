// Binance's spot streams and market data REST, after github.com/binance/binance-spot-api-docs (web-socket-streams.md,
// rest-api.md; July 2026): combined streams at /stream, raw ones at /ws.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { candlesOf, type FakeCandle } from './fake-candles.fixture.ts';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const MAX_PAGE = 1_000;

const wraps = (client: FakeClient): boolean => client.url.pathname.startsWith('/stream');
const stamp = (client: FakeClient, timeUs: number): number =>
  client.url.searchParams.get('timeUnit')?.toLowerCase() === 'microsecond' ? timeUs : Math.floor(timeUs / 1_000);

function frame(client: FakeClient, stream: string, data: unknown): string {
  return JSON.stringify(wraps(client) ? { stream, data } : data);
}

const tradeData = (client: FakeClient, trade: FakeTrade, price: unknown = trade.price) => ({
  e: 'trade',
  E: stamp(client, trade.timeUs + 900),
  s: trade.symbol,
  t: trade.id,
  p: price,
  q: trade.size,
  T: stamp(client, trade.timeUs),
  m: trade.taker === 'sell',
  M: true,
});

const restTrade = (trade: FakeTrade) => ({
  id: trade.id,
  price: trade.price,
  qty: trade.size,
  quoteQty: (Number(trade.price) * Number(trade.size)).toFixed(8),
  time: Math.floor(trade.timeUs / 1_000),
  isBuyerMaker: trade.taker === 'sell',
  isBestMatch: true,
});

const aggregate = (trade: FakeTrade) => ({
  a: trade.id,
  p: trade.price,
  q: trade.size,
  f: trade.id,
  l: trade.id,
  T: Math.floor(trade.timeUs / 1_000),
  m: trade.taker === 'sell',
  M: true,
});

export function fakeBinance(listed: readonly string[] = ['BTCUSDT', 'ETHUSDT']): FakeProtocol {
  return {
    framesPerSecond: 5,
    streamPath: '',
    accepts: (url) => /^\/(stream|ws)(\/|$)/.test(url.pathname),
    greet(client) {
      const inPath = wraps(client) ? client.url.searchParams.get('streams') : client.url.pathname.slice('/ws/'.length);
      for (const stream of inPath?.split('/') ?? []) if (stream.includes('@')) client.subscribed.add(stream);
    },
    receive(client, { method, params, id }) {
      const streams = Array.isArray(params) ? params.map(String) : [];
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
      trades.flatMap((trade) => {
        const stream = `${trade.symbol.toLowerCase()}@trade`;
        return client.subscribed.has(stream) ? frame(client, stream, tradeData(client, trade)) : [];
      }),
    quote(client, { symbol, bid, bidSize, ask, askSize, updateId }) {
      const stream = `${symbol.toLowerCase()}@bookTicker`;
      if (!client.subscribed.has(stream)) return null;
      return frame(client, stream, { u: updateId, s: symbol, b: bid, B: bidSize, a: ask, A: askSize });
    },
    heartbeats: () => [],
    rest: (url, tape) => rest(url, tape, listed),
    invalidMessages: (symbol) => [
      JSON.stringify({ stream: 'btcusdt@trade' }),
      JSON.stringify({ stream: 'x@y', data: { e: 'brandNewEvent', E: 1, s: symbol } }),
      JSON.stringify({
        stream: 'x@trade',
        data: { e: 'trade', s: symbol, t: 'seven', p: 5, q: null, T: 'now', m: 'yes' },
      }),
      JSON.stringify({
        stream: 'x@trade',
        data: { e: 'trade', E: 1, s: 'NOSUCH', t: 1, p: '1', q: '1', T: 1, m: true },
      }),
      JSON.stringify({ stream: 'x@bookTicker', data: { u: 1, s: symbol, b: '', B: {}, a: [], A: false } }),
    ],
    malformedTrade: (client, trade) =>
      frame(client, `${trade.symbol.toLowerCase()}@trade`, tradeData(client, trade, null)),
  };
}

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  const query = url.searchParams;
  if (url.pathname === '/api/v3/exchangeInfo') {
    const wanted = query.has('symbols') ? (JSON.parse(query.get('symbols') ?? '[]') as string[]) : listed;
    if (wanted.some((symbol) => !listed.includes(symbol))) return errorResponse(-1121, 'Invalid symbol.');
    return Response.json({ timezone: 'UTC', serverTime: Date.now(), symbols: wanted.map(description) });
  }
  if (url.pathname === '/api/v3/ticker/price')
    return Response.json(listed.map((one) => ({ symbol: one, price: '60001.50000000' })));
  const symbol = query.get('symbol') ?? '';
  if (url.pathname === '/api/v3/klines') return klines(query, tape, listed);
  if (!/^\/api\/v3\/(historicalTrades|trades|aggTrades)$/.test(url.pathname)) return null;
  if (!listed.includes(symbol)) return errorResponse(-1121, 'Invalid symbol.');
  const limit = Math.min(Number(query.get('limit') ?? 500), MAX_PAGE);
  const all = tape.of(symbol);
  const fromId = query.get('fromId');
  const start = fromId === null ? -limit : all.findIndex((trade) => trade.id >= Number(fromId));
  const page = fromId !== null && start < 0 ? [] : all.slice(start, fromId === null ? undefined : start + limit);
  return Response.json(url.pathname.endsWith('aggTrades') ? page.map(aggregate) : page.map(restTrade));
}

const errorResponse = (code: number, msg: string): Response => Response.json({ code, msg }, { status: 400 });

const description = (symbol: string) => ({
  symbol,
  status: 'TRADING',
  baseAsset: symbol.replace(/USDT$/, ''),
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  orderTypes: ['LIMIT', 'MARKET'],
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01000000', maxPrice: '1000000.00000000', tickSize: '0.01000000' },
    { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
  ],
  permissions: ['SPOT'],
  permissionSets: [['SPOT']],
});

const KLINE_MS: Readonly<Record<string, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };

/** Intervals without trades have a row with the price before them and no volume. */
function klines(query: URLSearchParams, tape: FakeTape, listed: readonly string[]): Response {
  const symbol = query.get('symbol') ?? '';
  const length = KLINE_MS[query.get('interval') ?? ''];
  if (!listed.includes(symbol)) return errorResponse(-1121, 'Invalid symbol.');
  if (!length) return errorResponse(-1120, 'Invalid interval.');
  const [start, end, limit] = [
    Number(query.get('startTime')),
    Number(query.get('endTime')),
    Number(query.get('limit')),
  ];
  const rows: unknown[] = [];
  let before: FakeCandle | null = null;
  for (const candle of candlesOf(tape, symbol, length, start, end)) {
    const { time, open, high, low, close, volume, bought } = candle;
    for (let quiet = before ? before.time + length : time; quiet < time; quiet += length)
      rows.push(kline(quiet, length, Array(4).fill(before!.close), '0.00000000', '0.00000000'));
    rows.push(kline(time, length, [open, high, low, close], volume, bought));
    before = candle;
  }
  return Response.json(rows.slice(0, Math.min(limit || 500, MAX_PAGE)));
}

const kline = (time: number, length: number, prices: readonly string[], volume: string, bought: string) => [
  ...[time, ...prices, volume, time + length - 1],
  ...['0', 1, bought, '0', '0'],
];
