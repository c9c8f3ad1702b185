// Hyperliquid's WebSocket and info requests, after hyperliquid.gitbook.io. The tape numbers trades; the protocol has ids in no
// order. The first message of a subscription to trades repeats the newest ones. Not simulated: the end of a connection after 60
// silent seconds, and limits of subscriptions.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { FakeAllowance } from './fake-allowance.fixture.ts';
import { candlesOf } from './fake-candles.fixture.ts';
import type { FakeClient, FakeProtocol } from './fake-protocol.fixture.ts';
import type { FakeTape, FakeTrade } from './fake-tape.fixture.ts';

/** Trades that happen close together are sent in one message. */
const BATCH = 20;
const REPEATED_MS = 50_000;
const REPEATED = 10;
const MAX_CANDLES = 5_000;
const LENGTHS: Readonly<Record<string, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };

/** A permutation of the numbers below 2^50. */
const tidOf = ({ symbol, id }: FakeTrade): number =>
  Number((BigInt(id + Bun.hash.crc32(symbol)) * 0x2_545f_4914_f6cdn) & 0x3_ffff_ffff_ffffn);

const row = (trade: FakeTrade, px: unknown = trade.price) => ({
  coin: trade.symbol,
  side: trade.taker === 'buy' ? 'B' : 'A',
  px,
  sz: trade.size,
  time: Math.floor(trade.timeUs / 1_000),
  hash: '0x0000000000000000000000000000000000000000000000000000000000000000',
  tid: tidOf(trade),
  users: [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`],
});

const message = (channel: string, data: unknown): string => JSON.stringify({ channel, data });

export interface FakeHyperliquidOptions {
  /** Trades that the first message of a subscription repeats, at most. */
  readonly repeated?: number;
  /** 1,200 at Hyperliquid; no limit by default. */
  readonly weightsPerMinute?: number;
}

export function fakeHyperliquid(
  listed: readonly string[] = ['BTC', 'ETH', 'xyz:GOLD'],
  { repeated = REPEATED, weightsPerMinute }: FakeHyperliquidOptions = {},
): FakeProtocol {
  const allowance = new FakeAllowance(weightsPerMinute);
  return {
    framesPerSecond: 0,
    streamPath: '/ws',
    accepts: (url) => url.pathname === '/ws',
    greet: () => undefined,
    receive: (client, request, tape) => receive(client, request, tape, { listed, repeated }),
    trades(client, trades) {
      const wanted = trades.filter(({ symbol }) => client.subscribed.has(`trades ${symbol}`));
      return Array.from({ length: Math.ceil(wanted.length / BATCH) }, (_, index) =>
        message(
          'trades',
          wanted.slice(index * BATCH, (index + 1) * BATCH).map((trade) => row(trade)),
        ),
      );
    },
    quote(client, { symbol: coin, bid, bidSize, ask, askSize, timeUs }) {
      if (!client.subscribed.has(`bbo ${coin}`)) return null;
      const bbo = [
        { px: bid, sz: bidSize, n: 2 },
        { px: ask, sz: askSize, n: 46 },
      ];
      return message('bbo', { coin, time: Math.floor(timeUs / 1_000), bbo });
    },
    heartbeats: (client) =>
      [...client.subscribed].flatMap((key) => {
        const [type, coin] = key.split(' ');
        return type === 'activeAssetCtx' ? message(type, { coin, ctx: CONTEXT }) : [];
      }),
    rest(url, tape, body) {
      if (url.pathname !== '/info') return null;
      const request = body as InfoRequest;
      return allowance.refuse(weightOf(request)) ?? info(request, tape, listed);
    },
    invalidMessages: (coin) => [
      message('brandNew', { coin }),
      message('trades', { coin }),
      message('trades', [null, 7, { coin, side: 'up', px: '1', sz: -1, tid: 1.5, time: 'today' }]),
      message('bbo', { coin, time: 1, bbo: [{ px: '', sz: {} }, { px: [] }] }),
      message('bbo', { coin: 'NOSUCH', time: 1, bbo: [null, null] }),
    ],
    malformedTrade: (_client, trade) => message('trades', [row(trade, null)]),
  };
}

const CONTEXT = {
  funding: '0.0000125',
  openInterest: '31500.25',
  prevDayPx: '59000.0',
  dayNtlVlm: '2250000000.5',
  premium: null,
  oraclePx: '60000.5',
  markPx: '60001.0',
  midPx: null,
  impactPxs: null,
  dayBaseVlm: '31000.5',
};

function receive(
  client: FakeClient,
  { method, subscription }: Record<string, unknown>,
  tape: FakeTape,
  { listed, repeated }: { readonly listed: readonly string[]; readonly repeated: number },
): void {
  if (method === 'ping') {
    client.send(JSON.stringify({ channel: 'pong' }));
    return;
  }
  const { type, coin } = subscription as { readonly type: string; readonly coin: string };
  const key = `${type} ${coin}`;
  if (!listed.includes(coin) || client.subscribed.has(key)) {
    const why = listed.includes(coin) ? 'Already subscribed:' : 'Invalid subscription';
    client.send(message('error', `${why} ${JSON.stringify({ type, coin })}`));
    return;
  }
  client.subscribed.add(key);
  client.send(message('subscriptionResponse', { method, subscription }));
  if (type !== 'trades') return;
  const recent = tape.of(coin).filter(({ timeUs }) => timeUs / 1_000 >= tape.now - REPEATED_MS);
  if (recent.length === 0 || repeated === 0) return;
  client.send(
    message(
      'trades',
      recent.slice(-repeated).map((trade) => row(trade)),
    ),
  );
}

interface InfoRequest {
  readonly type: string;
  readonly dex?: string;
  readonly req?: {
    readonly coin: string;
    readonly interval: string;
    readonly startTime: number;
    readonly endTime: number;
  };
}

/** A list of candles weighs more the longer its range is. */
const weightOf = ({ req }: InfoRequest): number =>
  20 + (req ? Math.ceil((req.endTime - req.startTime) / (LENGTHS[req.interval] ?? MINUTE_MS) / 60) : 0);

function info({ type, dex = '', req }: InfoRequest, tape: FakeTape, listed: readonly string[]): Response | null {
  switch (type) {
    case 'perpDexs':
      return Response.json([null, { name: 'xyz', fullName: 'XYZ' }, { name: 'km', fullName: 'Markets' }]);
    case 'spotMeta':
      return Response.json({ tokens: [{ name: 'USDC', index: 0 }], universe: [] });
    case 'metaAndAssetCtxs': {
      const coins = [...listed, 'km:GOLD', 'MATIC'].filter((coin) => (coin.split(':').at(-2) ?? '') === dex);
      const universe = coins.map((name) => ({
        szDecimals: 4,
        name,
        maxLeverage: 40,
        ...(name === 'MATIC' && { isDelisted: true }),
      }));
      return Response.json([{ universe, collateralToken: 0 }, coins.map(() => CONTEXT)]);
    }
    case 'candleSnapshot': {
      const { coin, interval, startTime, endTime } = req!;
      const length = LENGTHS[interval];
      // The venue answers an unknown coin with an error of the server.
      if (!length || !listed.includes(coin)) return new Response('null', { status: 500 });
      const oldest = tape.now - (tape.now % length) - (MAX_CANDLES - 1) * length;
      const candles = candlesOf(tape, coin, length, Math.max(startTime, oldest), endTime).slice(0, MAX_CANDLES);
      return Response.json(
        candles.map(({ time: t, open: o, high: h, low: l, close: c, volume: v }) => {
          return { t, T: t + length - 1, s: coin, i: interval, o, c, h, l, v, n: 1 };
        }),
      );
    }
    default:
      return new Response('Failed to deserialize the JSON body into the target type', { status: 422 });
  }
}
