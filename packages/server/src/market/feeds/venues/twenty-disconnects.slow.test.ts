// Twenty disconnects, each with trades that nobody received: whatever is missing afterwards lies in a declared gap.
import { expect, test } from 'bun:test';
import { asSymbol, CATALOGUE, type FeedEvent } from '@tickwire/engine';
import { fakeBinance } from '../../../../testing/feeds/fake-binance.fixture.ts';
import { fakeBinanceusdm } from '../../../../testing/feeds/fake-binanceusdm.fixture.ts';
import { fakeBybit } from '../../../../testing/feeds/fake-bybit.fixture.ts';
import { fakeCoinbase } from '../../../../testing/feeds/fake-coinbase.fixture.ts';
import { fakeKraken } from '../../../../testing/feeds/fake-kraken.fixture.ts';
import { fakeOkx } from '../../../../testing/feeds/fake-okx.fixture.ts';
import type { FakeProtocol } from '../../../../testing/feeds/fake-protocol.fixture.ts';
import type { FakeTrade } from '../../../../testing/feeds/fake-tape.fixture.ts';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import { silentLog } from '../../../ops/log.ts';
import { FeedSupervisor } from '../supervisor.ts';
import { VENUES } from './registry.ts';
import { createVenueConnector } from './venue-connector.ts';

const DISCONNECTS = 20;
/** The tape dates a burst of trades up to this much ahead of the clock. */
const AHEAD_MS = 10;
const QUICK = { subscribeIntervalMs: 1, restIntervalMs: 0, restRetryMs: 1, confirmTimeoutMs: 1_000 };

interface Venue {
  readonly name: string;
  readonly protocol: () => FakeProtocol;
  readonly markets: readonly [string, string];
  /** Whether every missed trade can be fetched. */
  readonly isWhole: boolean;
  /** Between pings, where the venue counts their answers. */
  readonly pingMs?: number;
}

// Hyperliquid, whose ids reveal no gap, is in minutes-in-place-of-trades.slow.test.ts.
test.concurrent.each([
  { name: 'binance', protocol: fakeBinance, markets: ['BTCUSDT', 'ETHUSDT'], isWhole: true, pingMs: 400 },
  { name: 'kraken', protocol: fakeKraken, markets: ['BTC/USD', 'ETH/USD'], isWhole: true },
  { name: 'coinbase', protocol: fakeCoinbase, markets: ['BTC-USD', 'ETH-USD'], isWhole: true },
  { name: 'binanceusdm', protocol: fakeBinanceusdm, markets: ['BTCUSDT', 'ETHUSDT'], isWhole: true, pingMs: 400 },
  { name: 'okx', protocol: fakeOkx, markets: ['BTC-USDT', 'BTC-USDT-SWAP'], isWhole: true },
  { name: 'bybit', protocol: fakeBybit, markets: ['BTCUSDT', 'BTCUSDT.P'], isWhole: false },
] satisfies Venue[])(
  '$name loses nothing that it does not declare',
  async ({ name, protocol, markets, isWhole, pingMs = 50 }: Venue) => {
    await using fake = new FakeVenue(protocol(), { pingMs, heartbeatMs: pingMs });
    const symbols = new Map([
      [markets[0], asSymbol('BTCUSDT')],
      [markets[1], asSymbol('BTCUSDT.P')],
    ]);
    const events: FeedEvent[] = [];
    const supervisor = new FeedSupervisor({
      connector: createVenueConnector(VENUES[name]!, {
        symbols,
        wsUrl: fake.wsUrl,
        restUrl: fake.restUrl,
        timing: QUICK,
        staleMs: 6 * pingMs,
      }),
      instruments: [{ ...CATALOGUE[0]!, symbol: asSymbol('BTCUSDT'), hours: 'always' }],
      accept: (list) => events.push(...list),
      now: Date.now,
      log: silentLog,
      random: () => 1,
    });
    supervisor.start();
    const live = () => until(() => supervisor.status().state === 'live', 'a live connection');
    for (let n = 0; n < DISCONNECTS; n++) {
      await live();
      // Until the backfill is done, everything up to now counts as known.
      await Bun.sleep(100);
      for (const venueSymbol of markets) fake.trade(venueSymbol, 5, n % 3 === 0 ? 'twice' : 'shuffled');
      fake.trade(markets[0], n % 4, 'malformed');
      await Bun.sleep(30);
      // Every second time more than Bybit lists.
      for (const venueSymbol of markets) fake.trade(venueSymbol, n % 2 === 0 ? 20 : 90, 'lost');
      const { disconnects } = supervisor.counters;
      if (n % 5 === 4) fake.stall();
      else fake.cut(n % 2 === 0 ? 'without close frame' : 'with close frame');
      await until(() => supervisor.counters.disconnects > disconnects, 'the disconnect');
    }
    await live();
    fake.trade(markets[0], 1);
    await Bun.sleep(3_000);
    supervisor.stop();

    for (const [venueSymbol, symbol] of symbols) {
      const gaps = events.flatMap((event) => (event.kind === 'gap' && event.symbols.includes(symbol) ? event : []));
      const isDeclared = ({ timeUs }: FakeTrade): boolean =>
        gaps.some(({ from, to }) => timeUs / 1_000 >= from && timeUs / 1_000 <= to + AHEAD_MS);
      const key = (time: number, price: number): string => `${Math.floor(time)} ${price}`;
      const got = events.flatMap((event) =>
        event.kind === 'trade' && event.symbol === symbol ? key(event.time, event.price) : [],
      );
      const received = new Set(got);
      const truth = fake.tape.of(venueSymbol);
      const missing = truth.filter((trade) => !received.has(key(trade.timeUs / 1_000, Number(trade.price))));
      expect(missing.filter((trade) => !isDeclared(trade))).toEqual([]);
      expect(got.length).toBe(truth.length - missing.length);
      if (isWhole) expect(missing).toEqual([]);
      else expect(missing.length).toBeGreaterThan(0);
    }
    expect(supervisor.counters.disconnects).toBeGreaterThanOrEqual(DISCONNECTS);
  },
);
