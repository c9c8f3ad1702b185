import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { fakeKraken } from '../fake-kraken.fixture.ts';
import { FakeVenue } from '../fake-venue.fixture.ts';
import { Listener } from '../listener.fixture.ts';
import { krakenSource } from './feed.ts';
import { restPair } from './missed.ts';

const BTC = new Map([['BTC/USD', asSymbol('BTCUSD')]]);
const at = (fake: FakeVenue, symbols = BTC) =>
  krakenSource({ symbols, wsUrl: fake.wsUrl, restUrl: fake.restUrl, timing: { restPaceMs: 0, restRetryMs: 1 } });

describe('Kraken', () => {
  test('asks for every trade without history and for quotes on every change', async () => {
    await using fake = new FakeVenue(fakeKraken());
    fake.trade('BTC/USD', 10);
    const listener = new Listener();
    const link = await at(fake).connect(listener);
    expect(fake.heard.map(({ params }) => params)).toEqual([
      { channel: 'trade', symbol: ['BTC/USD'], snapshot: false },
      { channel: 'ticker', symbol: ['BTC/USD'], event_trigger: 'bbo', snapshot: true },
    ]);
    expect(listener.trades).toEqual([]);
    link.close();
  });

  test('a pair the venue does not have is named in the refusal', async () => {
    await using fake = new FakeVenue(fakeKraken());
    const symbols = new Map([...BTC, ['LUNA/USD', asSymbol('LUNAUSD')]]);
    await expect(at(fake, symbols).connect(new Listener())).rejects.toThrow(
      'kraken: subscription refused: Currency pair not supported LUNA/USD',
    );
  });

  test('a time before the hole that is known badly is made up for by looking further back', async () => {
    await using fake = new FakeVenue(fakeKraken());
    const trades = fake.trade('BTC/USD', 20, 'lost');
    const late = asEpochMs(trades[19]!.timeUs / 1_000 + 30_000);
    const found = await at(fake).missed!(
      asSymbol('BTCUSD'),
      { id: trades[4]!.id, time: late },
      { before: trades[9]!.id },
    );
    expect(found?.map((trade) => trade.id)).toEqual(trades.slice(5, 9).map((trade) => trade.id));
  });

  test('a limit that is told with status 200 is waited for', async () => {
    const protocol = fakeKraken();
    let busy = 2;
    const rest = (url: URL, tape: FakeVenue['tape']) =>
      busy-- > 0 ? Response.json({ error: ['EGeneral:Too many requests'] }) : protocol.rest(url, tape);
    await using fake = new FakeVenue({ ...protocol, rest });
    const [first] = fake.trade('BTC/USD', 5, 'lost');
    const time = asEpochMs(first!.timeUs / 1_000);
    expect(await at(fake).missed!(asSymbol('BTCUSD'), { id: first!.id, time })).toHaveLength(4);
    expect(fake.asked).toHaveLength(3);
  });

  test('REST has its own spelling', () => {
    expect(['BTC/USD', 'DOGE/BTC', 'ETH/EUR'].map(restPair)).toEqual(['XBTUSD', 'XDGXBT', 'ETHEUR']);
  });
});
