// OKX's v5 channels and market REST, after okx.com/docs-v5: quotes and data of perpetuals on /public, every trade on /business.
// Times, ids and sizes are text; sizes of swaps are contracts. The size of a trade on the tape is in contracts too.
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { candlesOf, type FakeCandle } from './fake-candles.fixture.ts';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeQuote, FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const ROOT = '/ws/v5';
const BUSINESS = ['trades-all'];
const LENGTHS: Readonly<Record<string, number>> = { '1m': MINUTE_MS, '1H': 60 * MINUTE_MS, '1Dutc': DAY_MS };
/** Bars of each length in /market/candles. */
const NEWEST_BARS = 1_440;
const ALLOWANCE_MS = 2_000;
/** Units of the underlying in a contract of every swap. */
const CONTRACT_SIZE = 0.01;

export interface FakeOkxOptions {
  /** Requests in two seconds, after which more get 429. 20 at OKX; no limit by default. */
  readonly allowance?: number;
}

const isSwap = (instId: string): boolean => instId.endsWith('-SWAP');
const msOf = (timeUs: number): string => String(Math.floor(timeUs / 1_000));

const row = (trade: FakeTrade, px: unknown = trade.price) => ({
  instId: trade.symbol,
  tradeId: String(trade.id),
  px,
  sz: trade.size,
  side: trade.taker,
  source: '0',
  ts: msOf(trade.timeUs),
});

const push = (channel: string, instId: string, data: readonly unknown[]): string =>
  JSON.stringify({ arg: { channel, instId }, data });

export function fakeOkx(
  listed: readonly string[] = ['BTC-USDT', 'ETH-USDT', 'BTC-USDT-SWAP', 'ETH-USDT-SWAP'],
  { allowance = Number.POSITIVE_INFINITY }: FakeOkxOptions = {},
): FakeProtocol {
  let requests: number[] = [];
  return {
    framesPerSecond: 0,
    socketsPerConnection: 2,
    textReplies: { ping: 'pong' },
    streamPath: ROOT,
    accepts: (url) => url.pathname === `${ROOT}/public` || url.pathname === `${ROOT}/business`,
    greet: () => undefined,
    receive: (client, message, tape) => receive(client, message, tape, listed),
    trades: (client, trades) =>
      trades.flatMap((trade) =>
        client.subscribed.has(`trades-all ${trade.symbol}`) ? push('trades-all', trade.symbol, [row(trade)]) : [],
      ),
    quote: (client, quote) => (client.subscribed.has(`bbo-tbt ${quote.symbol}`) ? quoteFrame(quote) : null),
    liquidation: (client, like) => (client.subscribed.has('liquidation-orders SWAP') ? liquidationFrame(like) : null),
    heartbeats: () => [],
    rest(url, tape) {
      const now = performance.now();
      requests = requests.filter((at) => now - at < ALLOWANCE_MS);
      if (requests.length >= allowance)
        return Response.json({ code: '50011', msg: 'Too Many Requests', data: [] }, { status: 429 });
      requests.push(now);
      return rest(url, tape, listed);
    },
    invalidMessages: (symbol) => [
      JSON.stringify({ arg: { channel: 'bbo-tbt', instId: symbol } }),
      push('bbo-tbt', symbol, [null, { bids: 5, asks: [] }, { bids: [['1']], asks: [[{}, '1']], ts: 17 }]),
      push('bbo-tbt', 'NO-SUCH', []),
      push('brand-new', symbol, []),
      push('trades-all', symbol, [7, { tradeId: 'seven', px: '-1', sz: '0', side: 'up', ts: 'now' }]),
      JSON.stringify({ event: 'brand-new' }),
    ],
    malformedTrade: (client, trade) =>
      client.subscribed.has(`trades-all ${trade.symbol}`) ? push('trades-all', trade.symbol, [row(trade, null)]) : null,
  };
}

function receive(
  client: FakeClient,
  { op, args }: Record<string, unknown>,
  tape: FakeTape,
  listed: readonly string[],
): void {
  const isBusiness = client.url.pathname.endsWith('/business');
  const fail = (code: string, msg: string): void =>
    client.send(JSON.stringify({ event: 'error', code, msg, connId: 'a4d3ae55' }));
  if (op !== 'subscribe' || !Array.isArray(args)) {
    fail('60012', 'Invalid request');
    return;
  }
  for (const arg of args as Record<string, string>[]) {
    const { channel = '', instId, instType } = arg;
    const isKnown = instId === undefined ? instType === 'SWAP' : listed.includes(instId) || channel === 'index-tickers';
    if (!isKnown || BUSINESS.includes(channel) !== isBusiness) {
      fail('60018', `Wrong URL or channel:${channel},instId:${instId} doesn't exist. Please use the correct URL.`);
      continue;
    }
    client.subscribed.add(`${channel} ${instId ?? instType}`);
    client.send(JSON.stringify({ event: 'subscribe', arg, connId: 'd604ccd0' }));
    const first = FIRST[channel];
    if (first && instId) client.send(push(channel, instId, [{ instId, ...first(tape.now), ts: String(tape.now) }]));
  }
}

/** What is sent after a subscription to the data of a perpetual. */
const FIRST: Readonly<Record<string, (now: number) => object>> = {
  'mark-price': () => ({ instType: 'SWAP', markPx: '60000.5' }),
  'index-tickers': () => ({ idxPx: '60010.25', high24h: '61000' }),
  'funding-rate': (now) => ({
    fundingRate: '-0.0000544',
    fundingTime: String(now + 3_600_000),
    nextFundingTime: String(now + 7_200_000),
  }),
  'open-interest': () => ({ instType: 'SWAP', oi: '5779813.7', oiCcy: '57798.137' }),
};

const liquidationFrame = ({ symbol: instId, taker: side, price: bkPx, size: sz, timeUs }: FakeTrade): string => {
  const details = [
    { bkLoss: '0', bkPx, ccy: '', posSide: side === 'sell' ? 'long' : 'short', side, sz, ts: msOf(timeUs) },
  ];
  const data = [{ details, instFamily: instId.replace('-SWAP', ''), instId, instType: 'SWAP' }];
  return JSON.stringify({ arg: { channel: 'liquidation-orders', instType: 'SWAP' }, data });
};

const quoteFrame = ({ symbol, bid, bidSize, ask, askSize, timeUs, updateId }: FakeQuote): string =>
  push('bbo-tbt', symbol, [
    {
      asks: [[ask, askSize, '0', '3']],
      bids: [[bid, bidSize, '0', '3']],
      ts: msOf(timeUs),
      checksum: 0,
      seqId: updateId,
    },
  ]);

const success = (data: readonly unknown[]): Response => Response.json({ code: '0', msg: '', data });

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  const query = url.searchParams;
  const ofType = listed.filter((instId) => isSwap(instId) === (query.get('instType') === 'SWAP'));
  const request = url.pathname.replace('/api/v5/', '');
  if (request === 'public/instruments') return success(ofType.map(description));
  if (request === 'market/tickers') return success(ofType.map((instId) => ({ instId, last: '60001.5' })));
  const instId = query.get('instId') ?? '';
  if (!/^market\/(history-trades|candles|history-candles)$/.test(request)) return null;
  if (!listed.includes(instId)) return Response.json({ code: '51001', msg: "Instrument ID doesn't exist", data: [] });
  if (request === 'market/history-trades') return success(historyTrades(query, tape, instId));
  return success(candles(query, tape, instId, request === 'market/candles'));
}

function historyTrades(query: URLSearchParams, tape: FakeTape, instId: string): object[] {
  const older = Number(query.get('after') ?? Number.MAX_SAFE_INTEGER);
  const limit = Math.min(Number(query.get('limit') ?? 100), 100);
  return tape
    .of(instId)
    .filter(({ id }) => id < older)
    .slice(-limit)
    .reverse()
    .map((trade) => row(trade));
}

/** `after`: earlier than; `before`: later than. */
function candles(query: URLSearchParams, tape: FakeTape, instId: string, isNewest: boolean): string[][] {
  const length = LENGTHS[query.get('bar') ?? ''] ?? MINUTE_MS;
  const most = isNewest ? 300 : 100;
  const limit = Math.min(Number(query.get('limit') ?? 100), most);
  const oldest = isNewest ? (Math.floor(tape.now / length) - (NEWEST_BARS - 1)) * length : 0;
  const from = Math.max(oldest, Number(query.get('before') ?? 0) + 1);
  const to = Number(query.get('after') ?? tape.now + 1) - 1;
  return candlesOf(tape, instId, length, from, to)
    .map((candle) => candleRow(candle, instId, tape.now >= candle.time + length))
    .reverse()
    .slice(0, limit);
}

function candleRow({ time, open, high, low, close, volume }: FakeCandle, instId: string, isClosed: boolean): string[] {
  const inCoins = isSwap(instId) ? (Number(volume) * CONTRACT_SIZE).toFixed(10) : '0';
  return [String(time), open, high, low, close, volume, inCoins, '0', isClosed ? '1' : '0'];
}

const description = (instId: string) => ({
  instType: isSwap(instId) ? 'SWAP' : 'SPOT',
  instId,
  instCategory: instId.startsWith('XAU') ? '4' : '1',
  state: 'live',
  tickSz: '0.01',
  ...(isSwap(instId)
    ? {
        uly: instId.replace('-SWAP', ''),
        ctType: 'linear',
        ctVal: String(CONTRACT_SIZE),
        ctMult: '1',
        settleCcy: 'USDT',
      }
    : { baseCcy: instId.split('-')[0], quoteCcy: instId.split('-')[1] }),
});
