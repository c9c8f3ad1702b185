import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import {
  connectorFor,
  VENUES_UNDER_TEST,
  VENUES_WITHOUT_IDS,
} from '../../../../testing/feeds/venues-under-test.fixture.ts';

describe.each([...VENUES_UNDER_TEST, ...VENUES_WITHOUT_IDS])('connection to $name', (venue) => {
  const symbol = asSymbol(venue.instrument);

  test('resolves once every subscription is confirmed, then delivers quotes and trades', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const sink = new RecordingSink();
    const connection = await connectorFor(venue, fake).connect(sink);
    fake.quote(venue.btc);
    fake.trade(venue.eth, 2);
    await until(() => sink.quotes.length === 1 && sink.trades.length === 2, 'quotes and trades');
    expect(sink.quotes[0]).toMatchObject({ symbol, bidSize: 1.5, askSize: 0.25 });
    expect(sink.trades[1]?.id).toBe(VENUES_UNDER_TEST.includes(venue) ? 1_001 : undefined);
    expect(fake.expelled).toBe(0);
    connection.close();
    expect(await connection.closed).toBe('closed by us');
  });

  test('rejects if the venue refuses, does not answer, or is unreachable', async () => {
    const fake = new FakeVenue(venue.protocol());
    const connector = connectorFor(venue, fake, { confirmTimeoutMs: 50 });
    fake.refuse(1);
    await expect(connector.connect(new RecordingSink())).rejects.toThrow(`${venue.name}: `);
    fake.ignore(1);
    await expect(connector.connect(new RecordingSink())).rejects.toThrow('subscriptions not confirmed within 50 ms');
    await fake[Symbol.asyncDispose]();
    await expect(connector.connect(new RecordingSink())).rejects.toThrow(`${venue.name}: `);
  });

  test('answers pings and counts them as signs of life', async () => {
    await using fake = new FakeVenue(venue.protocol(), { pingMs: 250, heartbeatMs: 60_000 });
    const sink = new RecordingSink();
    const connection = await connectorFor(venue, fake).connect(sink);
    const before = sink.signsOfLife;
    await until(() => fake.pongs > 1, 'pongs');
    expect(sink.signsOfLife).toBeGreaterThan(before);
    connection.close();
  });

  test('delivers nothing after close()', async () => {
    await using fake = new FakeVenue(venue.protocol(), { pingMs: 5, heartbeatMs: 5 });
    const sink = new RecordingSink();
    const connection = await connectorFor(venue, fake).connect(sink);
    fake.trade(venue.btc, 50);
    connection.close();
    const seen = sink.signsOfLife;
    fake.trade(venue.btc, 50);
    fake.sendInvalid(venue.btc);
    await until(() => fake.clients === 0, 'the venue to notice');
    expect(sink).toMatchObject({ trades: [], complaints: [], signsOfLife: seen });
  });
});

describe.each(VENUES_UNDER_TEST)('missed trades of $name', (venue) => {
  const symbol = asSymbol(venue.instrument);
  const { pastTrades = 3_500 } = venue;

  test('fetches the trades between two ids, and none if nothing is missing', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const connector = connectorFor(venue, fake);
    const trades = fake.trade(venue.btc, pastTrades, 'lost');
    const [end, middle, last] = [pastTrades - 30, Math.min(1_499, pastTrades - 20), pastTrades - 1];
    const after = (index: number) => ({
      id: trades[index]!.id,
      time: asEpochMs(Math.floor(trades[index]!.timeUs / 1_000)),
    });
    const ids = async (first: number, before?: number) =>
      (
        await connector.fetchTrades!(symbol, after(first), before === undefined ? {} : { before: trades[before]!.id })
      )?.map((trade) => trade.id);
    const truth = trades.map((trade) => trade.id);
    expect(await ids(10, 11)).toEqual([]);
    expect(await ids(10, 12)).toEqual(truth.slice(11, 12));
    expect(await ids(10, end)).toEqual(truth.slice(11, end));
    expect(await ids(10)).toEqual(truth.slice(11));
    expect(await ids(middle)).toEqual(truth.slice(middle + 1));
    expect(await ids(last)).toEqual([]);
  });

  test('stops fetching if there are more missed trades than the limit', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const connector = connectorFor(venue, fake);
    const [first] = fake.trade(venue.btc, 3_500, 'lost');
    const after = { id: first!.id, time: asEpochMs(Math.floor(first!.timeUs / 1_000)) };
    expect(await connector.fetchTrades!(symbol, after, { limit: 2_000 })).toBeNull();
    expect(fake.restRequests.length).toBeLessThanOrEqual(2);
    const all = await connector.fetchTrades!(symbol, after, { limit: 4_000 });
    expect(all?.length).toBe(pastTrades < 3_500 ? undefined : 3_499);
  });

  test('returns null for trades that the venue no longer has', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const connector = connectorFor(venue, fake);
    const [first] = fake.trade(venue.btc, 30, 'lost');
    fake.tape.of(venue.btc).splice(0, 20);
    expect(await connector.fetchTrades!(symbol, { id: first!.id, time: asEpochMs(first!.timeUs / 1_000) })).toBeNull();
    expect(await connector.fetchTrades!(asSymbol('NOSUCH'), { id: 1, time: asEpochMs(1) })).toBeNull();
  });
});
