// Bybit's v5 public streams and market REST, after bybit-exchange.github.io/docs/v5: spot at /v5/public/spot, perpetuals at
// /v5/public/linear. The tape spells a perpetual with `.P`; the protocol does not.
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { candlesOf } from './fake-candles.fixture.ts';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeQuote, FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const PUBLIC = '/v5/public';
const MAX_SPOT_ARGS = 10;
const MAX_KLINES = 1_000;
/** Trades that happen close together are sent in one message. */
const BATCH = 20;
const LENGTHS: Readonly<Record<string, number>> = { 1: MINUTE_MS, 60: 60 * MINUTE_MS, D: DAY_MS };
const ALLOWANCE_MS = 5_000;

export interface FakeBybitOptions {
  /** Requests in five seconds, after which all get 403. 600 at Bybit; no limit by default. */
  readonly allowance?: number;
  /** Rows on a page of the list of instruments. */
  readonly listPage?: number;
}

const isLinear = (client: FakeClient): boolean => client.url.pathname.endsWith('/linear');
const bare = (symbol: string): string => symbol.replace(/\.P$/, '');
const ofCategory = (category: string | null, name: string): string => (category === 'linear' ? `${name}.P` : name);
const msOf = (timeUs: number): number => Math.floor(timeUs / 1_000);
const sideOf = ({ taker }: FakeTrade): string => (taker === 'buy' ? 'Buy' : 'Sell');

/** 19 digits on spot, a UUID of perpetuals. */
const idOf = ({ symbol, id }: FakeTrade): string =>
  symbol.endsWith('.P')
    ? `${Bun.hash.crc32(`${symbol} ${id}`).toString(16).padStart(8, '0')}-${(id % 65_536).toString(16).padStart(4, '0')}-5a00-987d-97d2b9e66a8b`
    : String(id).padStart(19, '0');

const row = (trade: FakeTrade, price: unknown = trade.price) => ({
  i: idOf(trade),
  T: msOf(trade.timeUs),
  p: price,
  v: trade.size,
  S: sideOf(trade),
  seq: trade.id,
  s: bare(trade.symbol),
  BT: false,
  RPI: false,
});

const tradeFrame = (symbol: string, rows: readonly { readonly T: number }[]): string =>
  JSON.stringify({ topic: `publicTrade.${bare(symbol)}`, ts: rows.at(-1)!.T, type: 'snapshot', data: rows });

/** Whether the client's socket carries the market and the topic is subscribed to. */
const wants = (client: FakeClient, topic: string, symbol: string): boolean =>
  symbol.endsWith('.P') === isLinear(client) && client.subscribed.has(`${topic}.${bare(symbol)}`);

export function fakeBybit(
  listed: readonly string[] = ['BTCUSDT', 'ETHUSDT', 'BTCUSDT.P', 'ETHUSDT.P'],
  { allowance = Number.POSITIVE_INFINITY, listPage = 500 }: FakeBybitOptions = {},
): FakeProtocol {
  let requests: number[] = [];
  return {
    framesPerSecond: 0,
    streamPath: PUBLIC,
    accepts: (url) => url.pathname === `${PUBLIC}/spot` || url.pathname === `${PUBLIC}/linear`,
    greet: () => undefined,
    receive: (client, message, tape) => receive(client, message, tape, listed),
    trades(client, trades) {
      const wanted = trades.filter(({ symbol }) => wants(client, 'publicTrade', symbol));
      return Array.from({ length: Math.ceil(wanted.length / BATCH) }, (_, index) => {
        const batch = wanted.slice(index * BATCH, (index + 1) * BATCH);
        return tradeFrame(
          batch[0]!.symbol,
          batch.map((trade) => row(trade)),
        );
      });
    },
    quote: (client, quote) => (wants(client, 'orderbook.1', quote.symbol) ? quoteFrame(quote) : null),
    liquidation: (client, like) => (wants(client, 'allLiquidation', like.symbol) ? liquidationFrame(like) : null),
    heartbeats: () => [],
    rest(url, tape) {
      const now = performance.now();
      requests = [...requests.filter((at) => now - at < ALLOWANCE_MS), now];
      if (requests.length > allowance) return new Response('access too frequent', { status: 403 });
      return rest(url, tape, listed, listPage);
    },
    invalidMessages: (symbol) => [
      JSON.stringify({ topic: `orderbook.1.${bare(symbol)}`, type: 'snapshot' }),
      JSON.stringify({ topic: `orderbook.1.${bare(symbol)}`, type: 'snapshot', data: { b: 5, a: [['1']] }, ts: 1 }),
      JSON.stringify({ topic: `orderbook.1.${bare(symbol)}`, type: 'delta', data: { b: [['1', '0']], a: [] }, ts: 1 }),
      JSON.stringify({ topic: 'publicTrade.NOSUCH', type: 'snapshot', data: [] }),
      tradeFrame(symbol, [{ T: -1 }, { ...{ i: 'x', p: '1e400', v: '0', S: 'Up' }, T: 0.5 }]),
      JSON.stringify({ op: 'subscribe', success: 'perhaps' }),
    ],
    malformedTrade: (_client, trade) => tradeFrame(trade.symbol, [row(trade, null)]),
  };
}

function receive(
  client: FakeClient,
  { op, req_id, args }: Record<string, unknown>,
  tape: FakeTape,
  listed: readonly string[],
): void {
  const reply = (success: boolean, ret_msg: string): void =>
    client.send(JSON.stringify({ success, ret_msg, conn_id: 'd9avsh3fo0jvsls9d82g-5m9jh', req_id: req_id ?? '', op }));
  if (op === 'ping') {
    reply(true, 'pong');
    return;
  }
  const topics = Array.isArray(args) ? args.map(String) : [];
  const category = isLinear(client) ? 'linear' : 'spot';
  const unknown = topics.find((topic) => !listed.includes(ofCategory(category, topic.split('.').at(-1)!)));
  const fault = category === 'spot' ? `Invalid symbol :[${unknown}]` : `error:handler not found,topic:${unknown}`;
  const isTooLong = category === 'spot' && topics.length > MAX_SPOT_ARGS;
  if (isTooLong || unknown) {
    reply(false, isTooLong ? 'args size >10' : fault);
    return;
  }
  for (const topic of topics) client.subscribed.add(topic);
  reply(true, 'subscribe');
  for (const topic of topics.filter((one) => one.startsWith('tickers.'))) client.send(tickerFrame(topic, tape));
}

const tickerFrame = (topic: string, tape: FakeTape): string =>
  JSON.stringify({
    topic,
    type: 'snapshot',
    data: {
      symbol: topic.split('.')[1],
      lastPrice: '60001.00',
      markPrice: '60000.50',
      indexPrice: '60010.25',
      openInterest: '57798.137',
      nextFundingTime: String(tape.now + 3_600_000),
      fundingRate: '-0.0000544',
      fundingIntervalHour: '8',
    },
    cs: 1,
    ts: tape.now,
  });

/** `S` is the side of the position. */
function liquidationFrame({ symbol, timeUs, taker, size: v, price: p }: FakeTrade): string {
  const topic = `allLiquidation.${bare(symbol)}`;
  const T = msOf(timeUs);
  const data = [{ T, s: bare(symbol), S: taker === 'sell' ? 'Buy' : 'Sell', v, p }];
  return JSON.stringify({ topic, type: 'snapshot', ts: T + 1, data });
}

function quoteFrame({ symbol, bid, bidSize, ask, askSize, timeUs, updateId }: FakeQuote): string {
  const time = msOf(timeUs);
  const data = { s: bare(symbol), b: [[bid, bidSize]], a: [[ask, askSize]], u: updateId, seq: updateId };
  return JSON.stringify({ topic: `orderbook.1.${bare(symbol)}`, ts: time + 1, type: 'snapshot', data, cts: time });
}

const success = (result: object): Response =>
  Response.json({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: Date.now() });

function rest(url: URL, tape: FakeTape, listed: readonly string[], listPage: number): Response | null {
  const query = url.searchParams;
  const category = query.get('category');
  const inCategory = listed.filter((symbol) => symbol.endsWith('.P') === (category === 'linear'));
  const request = /^\/v5\/market\/([a-z-]+)$/.exec(url.pathname)?.[1];
  if (request === 'instruments-info') {
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Math.min(listPage, Number(query.get('limit') ?? 500));
    const list = inCategory.slice(start, end).map(description);
    return success({ category, list, nextPageCursor: end < inCategory.length ? String(end) : '' });
  }
  if (request === 'tickers')
    return success({ category, list: inCategory.map((symbol) => ({ symbol: bare(symbol), lastPrice: '60001.5' })) });
  const symbol = ofCategory(category, query.get('symbol') ?? '');
  if (request !== 'recent-trade' && request !== 'kline') return null;
  if (!listed.includes(symbol)) return Response.json({ retCode: 10_001, retMsg: 'Not supported symbols', result: {} });
  return success({
    category,
    list: request === 'kline' ? klines(query, tape, symbol) : recentTrades(query, tape, symbol),
  });
}

function klines(query: URLSearchParams, tape: FakeTape, symbol: string): string[][] {
  const length = LENGTHS[query.get('interval') ?? ''] ?? MINUTE_MS;
  const limit = Math.min(Number(query.get('limit') ?? 200), MAX_KLINES);
  const candles = candlesOf(
    tape,
    symbol,
    length,
    Number(query.get('start') ?? 0),
    Number(query.get('end') ?? tape.now),
  );
  return candles
    .map(({ time, open, high, low, close, volume }) => [String(time), open, high, low, close, volume, '0'])
    .reverse()
    .slice(0, limit);
}

function recentTrades(query: URLSearchParams, tape: FakeTape, symbol: string): object[] {
  const most = symbol.endsWith('.P') ? 1_000 : 60;
  const limit = Math.min(Number(query.get('limit') ?? most), most);
  return tape
    .of(symbol)
    .slice(-limit)
    .reverse()
    .map((trade) => ({
      execId: idOf(trade),
      symbol: bare(symbol),
      price: trade.price,
      size: trade.size,
      side: sideOf(trade),
      time: String(msOf(trade.timeUs)),
      isBlockTrade: false,
      isRPITrade: false,
      seq: String(trade.id),
    }));
}

const description = (symbol: string) => ({
  symbol: bare(symbol),
  ...(symbol.endsWith('.P') && { contractType: 'LinearPerpetual' }),
  baseCoin: bare(symbol).replace(/USDT$/, ''),
  quoteCoin: 'USDT',
  status: 'Trading',
  priceFilter: { minPrice: '0.10', maxPrice: '1999999.80', tickSize: '0.01' },
  lotSizeFilter: { basePrecision: '0.000001', qtyStep: '0.001' },
});
