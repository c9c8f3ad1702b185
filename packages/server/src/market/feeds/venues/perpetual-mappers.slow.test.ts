// How many messages of a venue a mapper handles on one core: the time of the processor counts, not that of the clock.
import { expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { fakeBinanceusdm } from '../../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeBybit } from '../../../../testing/feeds/fake-bybit.fixture.ts';
import { fakeHyperliquid } from '../../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { fakeOkx } from '../../../../testing/feeds/fake-okx.fixture.ts';
import type { FakeClient, FakeProtocol } from '../../../../testing/feeds/fake-protocol.fixture.ts';
import { FakeTape } from '../../../../testing/feeds/fake-tape.fixture.ts';
import type { Mapper } from '../mapper.ts';
import { binanceusdmMapper } from './binanceusdm/mapper.ts';
import { bybitMapper } from './bybit/mapper.ts';
import { hyperliquidMapper } from './hyperliquid/mapper.ts';
import { okxMapper } from './okx/mapper.ts';
import { SeenTrades } from './seen-trades.ts';

/** A pass takes some 20 ms, so that some run while nothing else takes caches and clock speed away. */
const MESSAGES = 10_000;
/** The best counts. */
const PASSES = 300;
const AT_LEAST = 300_000;

interface Measured {
  readonly name: string;
  readonly protocol: FakeProtocol;
  readonly btc: string;
  readonly path: string;
  readonly subscribed: readonly string[];
  readonly create: () => Mapper;
}

const okxSwaps = (): Mapper =>
  okxMapper(new Map([['BTC-USDT-SWAP', asSymbol('BTCUSDT.P')]]), new Map([['BTC-USDT-SWAP', 0.01]]));

const MEASURED: readonly Measured[] = [
  {
    name: 'hyperliquid',
    protocol: fakeHyperliquid(),
    btc: 'BTC',
    path: '/ws',
    subscribed: ['bbo BTC', 'trades BTC', 'activeAssetCtx BTC'],
    create: () => hyperliquidMapper(new Map([['BTC', asSymbol('BTCUSDC.P')]]), new SeenTrades()),
  },
  {
    name: 'binanceusdm, quotes',
    protocol: fakeBinanceusdm(),
    btc: 'BTCUSDT',
    path: '/public/stream',
    subscribed: ['btcusdt@bookTicker'],
    create: () => binanceusdmMapper(new Map([['BTCUSDT', asSymbol('BTCUSDT.P')]])),
  },
  {
    name: 'binanceusdm, trades',
    protocol: fakeBinanceusdm(),
    btc: 'BTCUSDT',
    path: '/market/stream',
    subscribed: ['btcusdt@aggTrade', 'btcusdt@markPrice'],
    create: () => binanceusdmMapper(new Map([['BTCUSDT', asSymbol('BTCUSDT.P')]])),
  },
  {
    name: 'bybit, spot',
    protocol: fakeBybit(),
    btc: 'BTCUSDT',
    path: '/v5/public/spot',
    subscribed: ['orderbook.1.BTCUSDT', 'publicTrade.BTCUSDT'],
    create: () => bybitMapper(new Map([['BTCUSDT', asSymbol('BTCUSDT')]]), 'spot', new SeenTrades()),
  },
  {
    name: 'bybit, perpetuals',
    protocol: fakeBybit(),
    btc: 'BTCUSDT.P',
    path: '/v5/public/linear',
    subscribed: ['orderbook.1.BTCUSDT', 'publicTrade.BTCUSDT'],
    create: () => bybitMapper(new Map([['BTCUSDT.P', asSymbol('BTCUSDT.P')]]), 'linear', new SeenTrades()),
  },
  {
    name: 'okx, quotes of swaps',
    protocol: fakeOkx(),
    btc: 'BTC-USDT-SWAP',
    path: '/ws/v5/public',
    subscribed: ['bbo-tbt BTC-USDT-SWAP'],
    create: okxSwaps,
  },
  {
    name: 'okx, trades of swaps',
    protocol: fakeOkx(),
    btc: 'BTC-USDT-SWAP',
    path: '/ws/v5/business',
    subscribed: ['trades-all BTC-USDT-SWAP'],
    create: okxSwaps,
  },
];

/** Two quotes for a trade, as far as the socket has both, and now and then data of the perpetual. */
function messagesOf({ protocol, btc, path, subscribed }: Measured): string[] {
  const tape = new FakeTape();
  const client: FakeClient = {
    url: new URL(path, 'ws://127.0.0.1'),
    subscribed: new Set(subscribed),
    send: () => undefined,
  };
  const texts: string[] = [];
  while (texts.length < MESSAGES) {
    for (let n = 0; n < 2; n++) texts.push(protocol.quote(client, tape.quote(btc)) ?? '');
    texts.push(...protocol.trades(client, tape.make(btc, 1)));
    if (texts.length % 100 === 0) texts.push(...protocol.heartbeats(client, tape));
  }
  return texts.filter((text) => text !== '');
}

test.each(MEASURED)('the mapper of $name handles 300,000 messages per second', (venue) => {
  const texts = messagesOf(venue);
  let best = 0;
  for (let pass = 0; pass < PASSES && best < AT_LEAST; pass++) {
    const map = venue.create();
    const began = process.cpuUsage();
    let events = 0;
    for (const text of texts) events += map(text, 1_790_000_065_100).events.length;
    const { user, system } = process.cpuUsage(began);
    best = Math.max(best, texts.length / ((user + system) / 1e6));
    expect(events).toBeGreaterThan(texts.length * 0.9);
  }
  console.log(`${venue.name}: ${Math.round(best).toLocaleString('en')} messages per second`);
  expect(best).toBeGreaterThanOrEqual(AT_LEAST);
});
