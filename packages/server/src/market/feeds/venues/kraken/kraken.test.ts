import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, Engine, type EngineEvent, MINUTE_MS } from '@tickwire/engine';
import { fakeKraken } from '../../../../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../../../../testing/feeds/fake-venue.fixture.ts';
import { RecordingSink } from '../../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../../testing/feeds/reference-loop.fixture.ts';
import { MemoryJournal } from '../../../../journal/memory-journal.ts';
import { silentLog } from '../../../../ops/log.ts';
import { type InstrumentSettings, loadInstruments } from '../../../instruments.ts';
import { Intake } from '../../../intake.ts';
import { type ConfiguredVenue, configuredVenues } from '../configured-venues.ts';
import { DEFAULT_TIMING } from '../venue.ts';
import { createVenueConnector, venueRest } from '../venue-connector.ts';
import { kraken, restPair } from './kraken.ts';

const BTC = new Map([['BTC/USD', asSymbol('BTCUSD')]]);
const QUICK = { restIntervalMs: 0, restRetryMs: 1 };
const at = (fake: FakeVenue, symbols = BTC) =>
  createVenueConnector(kraken, {
    symbols,
    wsUrl: fake.wsUrl,
    restUrl: fake.restUrl,
    timing: QUICK,
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

  test('streams the others if it does not know a pair', async () => {
    await using fake = new FakeVenue(fakeKraken());
    const symbols = new Map([...BTC, ['LUNA/USD', asSymbol('LUNAUSD')]]);
    const sink = new RecordingSink();
    const connection = await at(fake, symbols).connect(sink);
    expect(sink.refusals).toContainEqual(['LUNAUSD', 'not offered']);
    expect(sink.complaints.join()).toContain('Currency pair not supported LUNA/USD');
    connection.close();
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
    expect(['BTC/USD', 'DOGE/BTC', 'ETH/EUR', 'USD/JPY'].map(restPair)).toEqual([
      ...['XBTUSD', 'XDGXBT', 'ETHEUR', 'USDJPY'],
    ]);
  });

  test('lists pairs in the spelling of the stream, with class, digits and last price', async () => {
    await using fake = new FakeVenue(fakeKraken(['BTC/USD', 'DOGE/BTC', 'USD/JPY']));
    const listings = await kraken.listInstruments!(venueRest(kraken, fake.restUrl, { ...DEFAULT_TIMING, ...QUICK }));
    expect(listings.map(({ venueSymbol, symbol, type }) => [venueSymbol, String(symbol), type])).toEqual([
      ['BTC/USD', 'BTCUSD', 'crypto'],
      ['DOGE/BTC', 'DOGEBTC', 'crypto'],
      ['USD/JPY', 'USDJPY', 'forex'],
    ]);
    expect(listings[2]).toMatchObject({ name: 'USD / JPY', digits: 3, quoteCurrency: 'JPY', lastPrice: 150.25 });
  });
});

describe('currency pairs of Kraken', () => {
  const SATURDAY = Date.UTC(2026, 10, 14, 12);
  const settings = (feeds: string[], venues: InstrumentSettings['venues'] = {}) => ({
    ...{ data: '/nonexistent', feeds, venues, instruments: null },
    realm: 'live' as const,
  });
  const USDJPY = asSymbol('USDJPY');
  const hoursOf = (...feeds: string[]) =>
    loadInstruments(settings(feeds)).find(({ symbol }) => symbol === USDJPY)?.hours;

  test('have bars of trades, also on a weekend, with the digits of the pair', async () => {
    await using fake = new FakeVenue(fakeKraken(['USD/JPY']), { now: () => SATURDAY });
    const symbols = new Map([['USD/JPY', USDJPY]]);
    expect(await at(fake, symbols).fetchPrecision!()).toEqual(new Map([[USDJPY, { digits: 3 }]]));
    const sink = new RecordingSink();
    const connection = await at(fake, symbols).connect(sink);
    fake.trade('USD/JPY', 3);
    fake.quote('USD/JPY');
    await until(() => sink.trades.length === 3 && sink.quotes.length === 1, 'trades and a quote');
    connection.close();
    const instruments = loadInstruments(settings(['kraken']));
    expect(instruments.find(({ symbol }) => symbol === USDJPY)).toMatchObject({ hours: 'always', bars: 'trades' });
    const engine = new Engine(instruments);
    const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
    const intake = new Intake({ instruments, engine, journal, log: silentLog, now: () => SATURDAY });
    intake.accept([...sink.trades, ...sink.quotes], 'kraken');
    expect(intake.accepted).toBe(4);
    const out: EngineEvent[] = [];
    engine.apply({ kind: 'clock', time: asEpochMs(SATURDAY + 2 * MINUTE_MS) }, out);
    const minutes = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === '1m' ? event.bar : []));
    expect(minutes).toMatchObject([{ time: SATURDAY, basis: 'trade', close: sink.trades.at(-1)!.price }]);
  });

  test('are no default symbols beside OANDA', () => {
    expect(hoursOf('kraken', 'oanda')).toBe('oanda-forex');
    const [{ symbols }] = configuredVenues({ feeds: ['kraken', 'oanda'], venues: {} }) as [ConfiguredVenue];
    expect([symbols.has('USD/JPY'), symbols.has('BTC/USD')]).toEqual([false, true]);
  });

  test('never close, unless OANDA comes first', () => {
    expect(hoursOf('kraken')).toBe('always');
    const given = settings(['kraken', 'oanda'], { kraken: { symbols: { USDJPY: 'USD/JPY' } } });
    expect(loadInstruments(given).find(({ symbol }) => symbol === USDJPY)?.hours).toBe('always');
    expect(hoursOf('oanda', 'kraken')).toBe('oanda-forex');
    expect(hoursOf('binance')).toBe('forex');
    expect(hoursOf('push', 'kraken')).toBe('always');
  });

  test('are subscribed to by default', () => {
    const pairs = ['EUR/USD', 'GBP/USD', 'USD/JPY', 'USD/CAD', 'AUD/USD', 'USD/CHF'];
    expect(Object.values(kraken.symbols)).toEqual(expect.arrayContaining(pairs));
  });
});
