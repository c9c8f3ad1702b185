import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { fakeCoinbase } from '../fake-coinbase.fixture.ts';
import { FakeVenue } from '../fake-venue.fixture.ts';
import { Listener } from '../listener.fixture.ts';
import { until } from '../reference-loop.fixture.ts';
import { coinbaseSource } from './feed.ts';

const BTC = new Map([['BTC-USD', asSymbol('BTCUSD')]]);
const at = (fake: FakeVenue, symbols = BTC) =>
  coinbaseSource({ symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: { restPaceMs: 0, restRetryMs: 1 } });

describe('Coinbase', () => {
  test('the trade before the subscription is not counted again', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    fake.trade('BTC-USD', 10);
    const listener = new Listener();
    const link = await at(fake).connect(listener);
    fake.trade('BTC-USD', 1);
    await until(() => listener.trades.length > 0, 'a trade');
    expect(listener.trades.map((trade) => trade.id)).toEqual([1_010]);
    link.close();
  });

  test('heartbeats of every product show that the line is alive', async () => {
    await using fake = new FakeVenue(fakeCoinbase(), { heartbeatMs: 10 });
    const listener = new Listener();
    const link = await at(fake).connect(listener);
    await until(() => listener.signsOfLife > 5, 'heartbeats');
    expect(listener.complaints).toEqual([]);
    link.close();
  });

  test('a product the venue does not have is named in the refusal', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const symbols = new Map([...BTC, ['LUNA-USD', asSymbol('LUNAUSD')]]);
    await expect(at(fake, symbols).connect(new Listener())).rejects.toThrow('LUNA-USD is not a valid product');
  });

  test('a hole is walked from its end to its beginning, page by page and no further', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const trades = fake.trade('BTC-USD', 6_000, 'lost');
    const after = { id: trades[2_000]!.id, time: asEpochMs(1) };
    expect(await at(fake).missed!(asSymbol('BTCUSD'), after, { before: trades[4_000]!.id })).toHaveLength(1_999);
    expect(fake.asked.map((url) => url.searchParams.get('after'))).toEqual(['5000', '4000']);
  });
});
