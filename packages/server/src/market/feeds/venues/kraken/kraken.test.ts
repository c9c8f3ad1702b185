import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { fakeKraken } from '../../../../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { createVenueConnector } from '../venue-connector.ts';
import { kraken, restPair } from './kraken.ts';

const BTC = new Map([['BTC/USD', asSymbol('BTCUSD')]]);
const at = (fake: FakeVenue, symbols = BTC) =>
  createVenueConnector(kraken, {
    symbols,
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: { restIntervalMs: 0, restRetryMs: 1 },
  });

describe('Kraken', () => {
  test('subscribes to every trade without a snapshot and to every change of the quote', async () => {
    await using fake = new FakeVenue(fakeKraken());
    fake.trade('BTC/USD', 10);
    const sink = new RecordingSink();
    const connection = await at(fake).connect(sink);
    expect(fake.received.map(({ params }) => params)).toEqual([
      { channel: 'trade', symbol: ['BTC/USD'], snapshot: false },
      { channel: 'ticker', symbol: ['BTC/USD'], event_trigger: 'bbo', snapshot: true },
    ]);
    expect(sink.trades).toEqual([]);
    connection.close();
  });

  test('names an unknown pair in the error', async () => {
    await using fake = new FakeVenue(fakeKraken());
    const symbols = new Map([...BTC, ['LUNA/USD', asSymbol('LUNAUSD')]]);
    await expect(at(fake, symbols).connect(new RecordingSink())).rejects.toThrow(
      'kraken: subscription refused: Currency pair not supported LUNA/USD',
    );
  });

  test('looks further back if the time of the last known trade is inaccurate', async () => {
    await using fake = new FakeVenue(fakeKraken());
    const trades = fake.trade('BTC/USD', 20, 'lost');
    const late = asEpochMs(trades[19]!.timeUs / 1_000 + 30_000);
    const found = await at(fake).fetchTrades!(
      asSymbol('BTCUSD'),
      { id: trades[4]!.id, time: late },
      { before: trades[9]!.id },
    );
    expect(found?.map((trade) => trade.id)).toEqual(trades.slice(5, 9).map((trade) => trade.id));
  });

  test('retries if a rate limit is reported with status 200', async () => {
    const protocol = fakeKraken();
    let busy = 2;
    const rest = (url: URL, tape: FakeVenue['tape']) =>
      busy-- > 0 ? Response.json({ error: ['EGeneral:Too many requests'] }) : protocol.rest(url, tape);
    await using fake = new FakeVenue({ ...protocol, rest });
    const [first] = fake.trade('BTC/USD', 5, 'lost');
    const time = asEpochMs(first!.timeUs / 1_000);
    expect(await at(fake).fetchTrades!(asSymbol('BTCUSD'), { id: first!.id, time })).toHaveLength(4);
    expect(fake.restRequests).toHaveLength(3);
  });

  test('spells pairs for REST', () => {
    expect(['BTC/USD', 'DOGE/BTC', 'ETH/EUR'].map(restPair)).toEqual(['XBTUSD', 'XDGXBT', 'ETHEUR']);
  });
});
