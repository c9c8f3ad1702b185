// The supervisor with real connectors against fake venues that speak the real protocols and misbehave.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, type FeedEvent, type TradeEvent } from '@tickwire/engine';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../testing/feeds/reference-loop.fixture.ts';
import { connectorFor, VENUES_UNDER_TEST } from '../../../testing/feeds/venues-under-test.fixture.ts';
import { silentLog } from '../../ops/log.ts';
import type { VenueConnector } from './connector.ts';
import { FeedSupervisor } from './supervisor.ts';
import { VENUE_INSTRUMENTS } from './venues/venue-instruments.ts';

const INSTRUMENTS = [...CATALOGUE, ...VENUE_INSTRUMENTS];

describe.concurrent.each(VENUES_UNDER_TEST)('supervisor of $name', (venue) => {
  const { btc } = venue;
  const symbol = asSymbol(venue.instrument);

  async function setUp(change: Partial<VenueConnector> = {}) {
    const fake = new FakeVenue(venue.protocol(), { pingMs: 100, heartbeatMs: 50 });
    const events: FeedEvent[] = [];
    const connector = { ...connectorFor(venue, fake), staleMs: 30_000, ...change };
    const supervisor = new FeedSupervisor({
      connector,
      instruments: INSTRUMENTS,
      accept: (list) => events.push(...list),
      now: Date.now,
      log: silentLog,
      random: () => 1,
    });
    supervisor.start();
    await until(() => supervisor.status().state === 'live', 'the first connection');
    fake.trade(btc, 3);
    const trades = () =>
      events.filter((event): event is TradeEvent => event.kind === 'trade' && event.symbol === symbol);
    await until(() => trades().length === 3, 'the first trades');
    return {
      fake,
      connector,
      events,
      supervisor,
      kinds: (kind: FeedEvent['kind']) => events.filter((event) => event.kind === kind),
      /** Every trade of the venue arrived exactly once. */
      async whole() {
        const truth = fake.tape.of(btc).map(({ id }) => id);
        await until(() => trades().length >= truth.length, 'every trade');
        expect(
          trades()
            .map(({ id }) => id!)
            .sort((a, b) => a - b),
        ).toEqual(truth);
      },
      async [Symbol.asyncDispose]() {
        supervisor.stop();
        await fake[Symbol.asyncDispose]();
      },
    };
  }

  test("reports the delay of prices, and the offset of the venue's clock once a response came", async () => {
    await using s = await setUp();
    await until(() => s.supervisor.status().delay !== null, 'a delay');
    const { p50, p99 } = s.supervisor.status().delay!;
    expect(p99).toBeGreaterThanOrEqual(p50);
    s.fake.trade(btc, 10, 'lost');
    s.fake.trade(btc, 1);
    await s.whole();
    // The same clock, read through headers with whole seconds.
    expect(Math.abs(s.supervisor.status().clockOffsetMs!)).toBeLessThan(5_000);
  });

  test('loses no trade if the connection is cut during a burst, and reports disconnect and backfill', async () => {
    await using s = await setUp();
    // Fewer if the venue lists fewer.
    const half = Math.min(2_000, (venue.pastTrades ?? 5_000) / 2 - 5);
    s.fake.trade(btc, half);
    s.fake.cut('without close frame');
    s.fake.trade(btc, half);
    await s.whole();
    expect(s.kinds('disconnect')).toHaveLength(1);
    expect(s.supervisor.status()).toMatchObject({ state: 'live', connects: 2, disconnects: 1, gaps: 0 });
    const fetched = s
      .kinds('backfilled')
      .reduce((sum, event) => sum + (event.kind === 'backfilled' ? event.count : 0), 0);
    expect(fetched).toBe(s.supervisor.counters.backfilled);
    expect(fetched).toBeGreaterThan(0);
  });

  test('replaces a silent connection', async () => {
    await using s = await setUp();
    s.connector.staleMs = 400;
    s.fake.stall();
    s.fake.trade(btc, 50);
    await s.whole();
    expect(s.supervisor.status().lastError).toContain('silent');
  });

  test('drops duplicates, accepts trades out of order, and fetches missing ids', async () => {
    await using s = await setUp();
    s.fake.trade(btc, 50, 'twice');
    s.fake.trade(btc, 50, 'shuffled');
    s.fake.trade(btc, 30, 'lost');
    s.fake.trade(btc, 2);
    await s.whole();
    expect(s.supervisor.counters.duplicates).toBeGreaterThanOrEqual(50);
    expect(s.supervisor.counters.gaps).toBe(0);
  });

  test('declares a gap for trades that the venue does not return', async () => {
    await using s = await setUp({ fetchTrades: async () => null });
    s.fake.trade(btc, 30, 'lost');
    s.fake.trade(btc, 1);
    await until(() => s.kinds('gap').length === 1, 'the gap to be declared');
    expect(s.kinds('gap')[0]).toMatchObject({ symbols: [symbol] });
    expect(s.supervisor.counters.gaps).toBe(1);
  });
});

test('data of perpetuals with a time in the future is refused and counted, and the rest is passed on', async () => {
  const symbol = asSymbol('BTCUSDT.P');
  const at = (time: number) => ({ symbol, time: asEpochMs(time) });
  const passed: unknown[] = [];
  const never = new Promise<string>(() => undefined);
  const supervisor = new FeedSupervisor({
    connector: {
      name: 'venue',
      title: 'Venue',
      symbols: [symbol],
      staleMs: 60_000,
      async connect(sink) {
        sink.perpetuals!([
          { ...at(20_000), markPrice: 1 },
          { ...at(1_000), markPrice: 2 },
        ]);
        sink.liquidations!([{ ...at(20_000), price: 1, size: 1, side: 'buy' }]);
        return { close: () => undefined, closed: never };
      },
    },
    instruments: INSTRUMENTS,
    accept: () => undefined,
    perpetuals: { figures: (updates) => passed.push(...updates), liquidations: (list) => passed.push(...list) },
    now: () => 5_000,
    log: silentLog,
  });
  supervisor.start();
  await until(() => supervisor.status().state === 'live', 'the connection');
  supervisor.stop();
  expect(passed).toEqual([{ ...at(1_000), markPrice: 2 }]);
  expect(supervisor.counters.invalidMessages).toBe(2);
});
