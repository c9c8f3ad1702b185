import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { fakeCoinbase } from '../../../../../testing/feeds/fake-coinbase.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import { DEFAULT_TIMING } from '../venue.ts';
import { createVenueConnector, venueRest } from '../venue-connector.ts';
import { coinbase } from './coinbase.ts';

const BTC = new Map([['BTC-USD', asSymbol('BTCUSD')]]);
const QUICK = { restIntervalMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, symbols = BTC) =>
  createVenueConnector(coinbase, {
    symbols,
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: QUICK,
  });

describe('Coinbase', () => {
  test('lists products that trade, with digits', async () => {
    await using fake = new FakeVenue(fakeCoinbase(['BTC-USD']));
    expect(await coinbase.listInstruments!(venueRest(coinbase, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK }))).toEqual(
      [
        {
          venueSymbol: 'BTC-USD',
          symbol: asSymbol('BTCUSD'),
          name: 'BTC / USD',
          type: 'crypto',
          digits: 2,
          quoteCurrency: 'USD',
        },
      ],
    );
  });

  test('does not count the trade before the subscription', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    fake.trade('BTC-USD', 10);
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    fake.trade('BTC-USD', 1);
    await until(() => sink.trades.length > 0, 'a trade');
    expect(sink.trades.map((trade) => trade.id)).toEqual([1_010]);
    connection.close();
  });

  test('quotes between trades, from the book, without an account', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    for (let count = 0; count < 50; count++) fake.quote('BTC-USD');
    await until(() => sink.quotes.length === 50, 'a quote per change');
    const { bid, bidSize, ask, askSize } = sink.quotes.at(-1)!;
    expect([bidSize, askSize, sink.trades.length]).toEqual([1.5, 0.25, 0]);
    expect(ask - bid).toBeCloseTo(0.01, 6);
    // Another connection starts with the same quote, from its snapshot.
    const later = new RecordingSink();
    const second = await at(fake).connect(later);
    await until(() => later.quotes.length === 1, 'the quote of the snapshot');
    expect(later.quotes[0]).toMatchObject({ bid, bidSize, ask, askSize });
    expect([sink.complaints, later.complaints]).toEqual([[], []]);
    connection.close();
    second.close();
  });

  test('starts over with a new snapshot after a change that cannot be read', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const sink = new RecordingSink();
    const connector = at(fake);
    const connection = await connector.connect(sink);
    fake.quote('BTC-USD');
    await until(() => sink.quotes.length === 1, 'a quote');
    fake.sendRaw(JSON.stringify({ type: 'l2update', product_id: 'BTC-USD', changes: [['buy']], time: 'soon' }));
    expect(await connection.closed).toBe('unusable change of the book');
    const next = await connector.connect(sink);
    await until(() => sink.quotes.length === 2, 'the quote of the second snapshot');
    next.close();
  });

  test('counts heartbeats as signs of life', async () => {
    await using fake = new FakeVenue(fakeCoinbase(), { heartbeatMs: 10 });
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    await until(() => sink.signsOfLife > 5, 'heartbeats');
    expect(sink.complaints).toEqual([]);
    connection.close();
  });

  test('names an unknown product in the error', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const symbols = new Map([...BTC, ['LUNA-USD', asSymbol('LUNAUSD')]]);
    await expect(at(fake, symbols).connect(new RecordingSink())).rejects.toThrow('LUNA-USD is not a valid product');
  });

  test('fetches missed trades from the newest back to the oldest and no further', async () => {
    await using fake = new FakeVenue(fakeCoinbase());
    const trades = fake.trade('BTC-USD', 6_000, 'lost');
    const after = { id: trades[2_000]!.id, time: asEpochMs(1) };
    expect(await at(fake).fetchTrades!(asSymbol('BTCUSD'), after, { before: trades[4_000]!.id })).toHaveLength(1_999);
    expect(fake.restRequests.map((url) => url.searchParams.get('after'))).toEqual(['5000', '4000']);
  });
});
