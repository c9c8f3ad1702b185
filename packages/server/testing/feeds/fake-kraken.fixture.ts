// Kraken's WebSocket v2 and public REST trades, after docs.kraken.com (trade, ticker, heartbeat and status channels; Get
// Recent Trades). One confirmation per symbol; several trades in one message; numbers are JSON numbers.
import { MINUTE_MS } from '@tickwire/engine';
import { FakeAllowance } from './fake-allowance.fixture.ts';
import { candlesOf } from './fake-candles.fixture.ts';
import { type FakeClient, type FakeProtocol, isoOf } from './fake-protocol.fixture.ts';
import type { FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const MAX_PAGE = 1_000;
const MAX_CANDLES = 720;
/** Trades that happen close together are sent in one message. */
const BATCH = 20;
const ALLOWANCE_MS = 5_000;

const tradeData = (trade: FakeTrade, price: unknown = Number(trade.price)) => ({
  symbol: trade.symbol,
  side: trade.taker,
  price,
  qty: Number(trade.size),
  ord_type: 'market',
  trade_id: trade.id,
  timestamp: isoOf(trade.timeUs),
});

const update = (channel: string, data: readonly unknown[]): string => JSON.stringify({ channel, type: 'update', data });

export interface FakeKrakenOptions {
  /** REST requests in five seconds, after which more are refused. About 5 at Kraken; no limit by default. */
  readonly allowance?: number;
  /** The state of the exchange; in maintenance, its sockets stay open. Default: online. */
  readonly system?: () => 'online' | 'maintenance';
}

export function fakeKraken(
  listed: readonly string[] = ['BTC/USD', 'ETH/USD'],
  { allowance: perWindow, system = () => 'online' }: FakeKrakenOptions = {},
): FakeProtocol {
  const allowance = new FakeAllowance(perWindow, ALLOWANCE_MS);
  return {
    framesPerSecond: 0,
    streamPath: '/v2',
    accepts: (url) => url.pathname === '/v2',
    greet: (client) =>
      client.send(
        update('status', [{ api_version: 'v2', connection_id: 12_345, system: system(), version: '2.0.10' }]),
      ),
    receive: (client, message, tape) => receive(client, message, tape, listed),
    trades(client, trades) {
      const wanted = trades.filter((trade) => client.subscribed.has(`trade ${trade.symbol}`));
      return Array.from({ length: Math.ceil(wanted.length / BATCH) }, (_, index) =>
        update(
          'trade',
          wanted.slice(index * BATCH, (index + 1) * BATCH).map((trade) => tradeData(trade)),
        ),
      );
    },
    quote(client, { symbol, bid, bidSize, ask, askSize, timeUs }) {
      if (!client.subscribed.has(`ticker ${symbol}`)) return null;
      const data = { symbol, bid: Number(bid), bid_qty: Number(bidSize), ask: Number(ask), ask_qty: Number(askSize) };
      return update('ticker', [{ ...data, last: Number(bid), volume: 1, vwap: 1, timestamp: isoOf(timeUs) }]);
    },
    heartbeats: (client) => (client.subscribed.size > 0 ? ['{"channel":"heartbeat"}'] : []),
    rest: (url, tape) =>
      allowance.refuse(1) ? Response.json({ error: ['EGeneral:Too many requests'] }) : rest(url, tape, listed),
    invalidMessages: (symbol) => [
      JSON.stringify({ channel: 'trade', type: 'update' }),
      JSON.stringify({ channel: 'brand_new', type: 'update', data: [] }),
      update('trade', [null, 7, { symbol, side: 'up', price: '1', qty: -1, trade_id: 1.5, timestamp: 'today' }]),
      update('ticker', [{ symbol: 'NO/SUCH', bid: 1, ask: 2, bid_qty: 1, ask_qty: 1 }]),
      JSON.stringify({ method: 'subscribe', success: 'perhaps', req_id: {} }),
    ],
    malformedTrade: (_client, trade) => update('trade', [tradeData(trade, null)]),
  };
}

function receive(
  client: FakeClient,
  { method, params, req_id }: Record<string, unknown>,
  tape: FakeTape,
  listed: readonly string[],
): void {
  const time = { time_in: isoOf(Date.now() * 1_000), time_out: isoOf(Date.now() * 1_000) };
  if (method === 'ping') {
    client.send(JSON.stringify({ method: 'pong', req_id, ...time }));
    return;
  }
  const { channel, symbol, snapshot } = (params ?? {}) as Record<string, unknown>;
  for (const one of Array.isArray(symbol) ? symbol.map(String) : []) {
    if (!listed.includes(one)) {
      const error = `Currency pair not supported ${one}`;
      client.send(JSON.stringify({ error, method, req_id, success: false, symbol: one, ...time }));
      continue;
    }
    const name = `${String(channel)} ${one}`;
    if (method === 'subscribe') client.subscribed.add(name);
    else client.subscribed.delete(name);
    const result = { channel, symbol: one, snapshot: snapshot ?? channel === 'ticker' };
    client.send(JSON.stringify({ method, req_id, result, success: true, ...time }));
    if (method === 'subscribe' && channel === 'trade' && snapshot === true) {
      const data = tape
        .of(one)
        .slice(-50)
        .map((trade) => tradeData(trade));
      client.send(JSON.stringify({ channel: 'trade', type: 'snapshot', data }));
    }
  }
}

/** REST spells Bitcoin XBT and has no slash. */
const pairOf = (symbol: string): string => oldName(symbol).replace('/', '');
const oldName = (symbol: string): string => symbol.replace('BTC', 'XBT').replace('DOGE', 'XDG');
/** Of the pair: BTC/USD has one, USD/JPY three. */
const digitsOf = (symbol: string): number => (symbol.endsWith('/JPY') ? 3 : 1);

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  if (url.pathname === '/0/public/AssetPairs') {
    const wanted = (url.searchParams.get('pair') ?? listed.map(pairOf).join(',')).split(',');
    const known = new Map(listed.map((one) => [pairOf(one), one]));
    if (wanted.some((pair) => !known.has(pair))) return Response.json({ error: ['EQuery:Unknown asset pair'] });
    const pairs = wanted.map((altname) => {
      const symbol = known.get(altname)!;
      const names = { altname, wsname: oldName(symbol) };
      return [`X${altname}`, { ...names, pair_decimals: digitsOf(symbol), status: 'online' }];
    });
    return Response.json({ error: [], result: Object.fromEntries(pairs) });
  }
  if (url.pathname === '/0/public/Ticker') {
    const tickers = listed.map((symbol) => [
      `X${pairOf(symbol)}`,
      { a: ['150.26'], b: ['150.24'], c: ['150.25', '1'] },
    ]);
    return Response.json({ error: [], result: Object.fromEntries(tickers) });
  }
  if (url.pathname !== '/0/public/Trades' && url.pathname !== '/0/public/OHLC') return null;
  const symbol = listed.find((one) => pairOf(one) === url.searchParams.get('pair'));
  if (!symbol) return Response.json({ error: ['EQuery:Unknown asset pair'] });
  if (url.pathname === '/0/public/OHLC') return ohlc(url.searchParams, tape, symbol);
  const since = BigInt(url.searchParams.get('since') ?? 0);
  const all = tape.of(symbol);
  const later = all.filter((trade) => BigInt(trade.timeUs) * 1_000n > since).slice(0, MAX_PAGE);
  const rows = later.map(({ price, size, timeUs, taker, id }) => [
    price,
    size,
    timeUs / 1e6,
    taker === 'buy' ? 'b' : 's',
    'm',
    '',
    id,
  ]);
  const last = later.at(-1);
  const cursor = last ? `${last.timeUs}000` : String(since);
  return Response.json({ error: [], result: { [`X${pairOf(symbol)}`]: rows, last: cursor } });
}

/** The newest 720 bars, those after `since` (seconds). */
function ohlc(query: URLSearchParams, tape: FakeTape, symbol: string): Response {
  const length = Number(query.get('interval')) * MINUTE_MS;
  const oldest = (Math.floor(tape.now / length) - (MAX_CANDLES - 1)) * length;
  const since = Number(query.get('since') ?? 0) * 1_000;
  const candles = candlesOf(tape, symbol, length, oldest, tape.now).filter(({ time }) => time > since);
  const rows = candles.map(({ time, open, high, low, close, volume }) => [
    ...[time / 1_000, open, high, low, close],
    ...[open, volume, 1],
  ]);
  const last = (candles.at(-1)?.time ?? 0) / 1_000;
  return Response.json({ error: [], result: { [`X${pairOf(symbol)}`]: rows, last } });
}
