import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { FakeVenue } from './fake-venue.fixture.ts';
import { Listener } from './listener.fixture.ts';
import { until } from './reference-loop.fixture.ts';
import { sourceAt, VENUES_UNDER_TEST } from './venues-under-test.fixture.ts';

describe.each(VENUES_UNDER_TEST)('a connection to $name', (venue) => {
  const symbol = asSymbol(venue.instrument);

  test('resolves once every subscription is confirmed, and brings quotes and trades', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const listener = new Listener();
    const link = await sourceAt(venue, fake).connect(listener);
    fake.quote(venue.btc);
    fake.trade(venue.eth, 2);
    await until(() => listener.quotes.length === 1 && listener.trades.length === 2, 'quotes and trades');
    expect(listener.quotes[0]).toMatchObject({ symbol, bidSize: 1.5, askSize: 0.25 });
    expect(listener.trades[1]?.id).toBe(1_001);
    expect(fake.expelled).toBe(0);
    link.close();
    expect(await link.closed).toBe('closed by us');
  });

  test('is rejected where the venue refuses, does not answer, or is not there', async () => {
    const fake = new FakeVenue(venue.protocol());
    const source = sourceAt(venue, fake, { answerMs: 50 });
    fake.refuse(1);
    await expect(source.connect(new Listener())).rejects.toThrow(`${venue.name}: `);
    fake.ignore(1);
    await expect(source.connect(new Listener())).rejects.toThrow('subscriptions not confirmed within 50 ms');
    await fake[Symbol.asyncDispose]();
    await expect(source.connect(new Listener())).rejects.toThrow(`${venue.name}: `);
  });

  test('answers the pings of the venue and takes them as signs of life', async () => {
    await using fake = new FakeVenue(venue.protocol(), { pingMs: 250, heartbeatMs: 60_000 });
    const listener = new Listener();
    const link = await sourceAt(venue, fake).connect(listener);
    const before = listener.signsOfLife;
    await until(() => fake.pongs > 1, 'pongs');
    expect(listener.signsOfLife).toBeGreaterThan(before);
    link.close();
  });

  test('is over when it is closed: nothing comes after', async () => {
    await using fake = new FakeVenue(venue.protocol(), { pingMs: 5, heartbeatMs: 5 });
    const listener = new Listener();
    const link = await sourceAt(venue, fake).connect(listener);
    fake.trade(venue.btc, 50);
    link.close();
    const seen = listener.signsOfLife;
    fake.trade(venue.btc, 50);
    fake.garbage(venue.btc);
    await until(() => fake.clients === 0, 'the venue to notice');
    expect(listener).toMatchObject({ trades: [], complaints: [], signsOfLife: seen });
  });

  test('missed trades are those between the two ids, and none where nothing is missing', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const source = sourceAt(venue, fake);
    const trades = fake.trade(venue.btc, 3_500, 'lost');
    const after = (index: number) => ({
      id: trades[index]!.id,
      time: asEpochMs(Math.floor(trades[index]!.timeUs / 1_000)),
    });
    const ids = async (first: number, before?: number) =>
      (await source.missed!(symbol, after(first), before === undefined ? {} : { before: trades[before]!.id }))?.map(
        (trade) => trade.id,
      );
    const truth = trades.map((trade) => trade.id);
    expect(await ids(10, 11)).toEqual([]);
    expect(await ids(10, 12)).toEqual(truth.slice(11, 12));
    expect(await ids(10, 3_000)).toEqual(truth.slice(11, 3_000));
    expect(await ids(10)).toEqual(truth.slice(11));
    expect(await ids(1_499)).toEqual(truth.slice(1_500));
    expect(await ids(3_499)).toEqual([]);
  });

  test('more missed trades than the limit allows are not fetched to the end', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const source = sourceAt(venue, fake);
    const [first] = fake.trade(venue.btc, 3_500, 'lost');
    const after = { id: first!.id, time: asEpochMs(Math.floor(first!.timeUs / 1_000)) };
    expect(await source.missed!(symbol, after, { limit: 2_000 })).toBeNull();
    expect(fake.asked.length).toBeLessThanOrEqual(2);
    expect(await source.missed!(symbol, after, { limit: 4_000 })).toHaveLength(3_499);
  });

  test('trades the venue no longer holds, or has too many of, are not made up', async () => {
    await using fake = new FakeVenue(venue.protocol());
    const source = sourceAt(venue, fake);
    const [first] = fake.trade(venue.btc, 30, 'lost');
    fake.tape.of(venue.btc).splice(0, 20);
    expect(await source.missed!(symbol, { id: first!.id, time: asEpochMs(first!.timeUs / 1_000) })).toBeNull();
    expect(await source.missed!(asSymbol('NOSUCH'), { id: 1, time: asEpochMs(1) })).toBeNull();
  });
});
