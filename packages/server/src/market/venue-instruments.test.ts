import { describe, expect, mock, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import type { AddedInstrument } from '../store/store.ts';
import { Catalogue } from './catalogue.ts';
import type { ListedVenue } from './feeds/open-feeds.ts';
import type { VenueListing } from './feeds/venues/venue.ts';
import { VenueInstruments, type VenueInstrumentsOptions } from './venue-instruments.ts';
import { VenueLists } from './venue-lists.ts';

const listing = (symbol: string, changes: Partial<VenueListing> = {}): VenueListing => ({
  venueSymbol: symbol,
  symbol: asSymbol(symbol),
  name: `${symbol} of a venue`,
  type: 'crypto',
  digits: 3,
  quoteCurrency: 'USDT',
  ...changes,
});
const LISTED = [
  listing('ATOMUSDT', { lastPrice: 4.1 }),
  listing('BTCUSDT'),
  listing('ETHUSDT', { contract: 'perpetual', underlying: 'ETH' }),
  listing('EURUSD'),
  listing('BTC-USDT.P'),
  listing('BTC-USDT', { symbol: asSymbol('BTC-USDT') }),
  listing('NEARUSDT'),
  listing('币USDT'),
  listing('TINYUSDT', { digits: 12 }),
];
const audit = async (): Promise<void> => {};
const settings = (data: string) => ({
  ...{ data, feeds: ['binance'], venues: { binance: { symbols: { BTCUSDT: 'BTCUSDT', ETHUSDT: 'ETHUSDT' } } } },
  ...{ instruments: null, realm: 'live' as const },
});

async function opened(changes: Partial<VenueInstrumentsOptions> = {}, venue: Partial<ListedVenue> = {}) {
  const rows: AddedInstrument[] = [];
  const store = {
    addedInstruments: async () => rows,
    addInstrument: async (row: AddedInstrument) => void rows.push(row),
    lastPrices: async () => [],
    number: async () => undefined,
  };
  const given = settings(temporaryFolder());
  const catalogue = await Catalogue.open(given, store);
  const list = mock(async () => LISTED);
  const binance = { name: 'binance', symbols: [], maxSymbols: 100, listInstruments: list, add: () => {}, ...venue };
  const time = { now: 1_000 };
  const instruments = new VenueInstruments({
    catalogue,
    venues: () => [binance],
    store,
    announce: (spec, added) =>
      catalogue.read({ firstSeq: 1, source: '', events: [{ kind: 'instrument', spec, added }] }),
    now: () => time.now,
    ...changes,
  });
  return { instruments, catalogue, list, rows, store, given, time };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => (error as { code?: unknown }).code,
  );

describe('adding', () => {
  test('stores the instrument, announces it, and has the same terms after a restart', async () => {
    const { instruments, catalogue, rows, store, given } = await opened();
    const spec = await instruments.add('Binance', 'ATOM/USDT', audit);
    expect(spec).toMatchObject({ symbol: 'ATOMUSDT', digits: 4, bars: 'trades', hours: 'always', currency: 'USDT' });
    expect(rows).toMatchObject([{ symbol: 'ATOMUSDT', venue: 'binance', addedAt: 1_000 }]);
    expect(JSON.parse(rows[0]!.listing)).toEqual(LISTED[0]);
    expect([catalogue.instruments.at(-1), catalogue.venueSymbols.has(spec.symbol)]).toEqual([spec, true]);
    const restarted = await Catalogue.open(given, store);
    expect(restarted.instruments).toEqual(catalogue.instruments);
    expect(restarted.venueSymbols.has(spec.symbol)).toBe(true);
  });

  test.each([
    ['nosuch', 'ATOMUSDT', 'venue_not_found'],
    ['binance', 'NOSUCH', 'symbol_not_found'],
    ['binance', '币USDT', 'symbol_not_found'],
    ['binance', 'TINYUSDT', 'symbol_not_found'],
    ['binance', 'BTCUSDT', 'instrument_exists'],
    ['binance', 'ETHUSDT', 'instrument_exists'],
    ['binance', 'EURUSD', 'instrument_exists'],
    ['binance', 'BTC-USDT', 'instrument_exists'],
  ])('%s %s is refused: %s', async (venue, symbol, code) => {
    const { instruments, rows } = await opened();
    expect([await codeOf(instruments.add(venue, symbol, audit)), rows]).toEqual([code, []]);
  });

  test('of two requests at the same time one is granted', async () => {
    const { instruments, rows } = await opened();
    const both = await Promise.all([1, 2].map(() => codeOf(instruments.add('binance', 'ATOMUSDT', audit))));
    expect([both, rows.length]).toEqual([[null, 'instrument_exists'], 1]);
  });

  test('is bounded for the service, and by what a connection to the venue carries', async () => {
    const bounded = await opened({ maxAdded: 1 });
    await bounded.instruments.add('binance', 'ATOMUSDT', audit);
    expect(await codeOf(bounded.instruments.add('binance', 'NEARUSDT', audit))).toBe('too_many_instruments');
    const full = await opened({}, { symbols: [asSymbol('BTCUSDT')], maxSymbols: 1 });
    expect(await codeOf(full.instruments.add('binance', 'ATOMUSDT', audit))).toBe('too_many_instruments');
  });

  test('is recorded with the name of the venue before it is stored, and not done if that fails', async () => {
    const { instruments, rows } = await opened();
    const recorded: string[] = [];
    const full = async (...line: string[]): Promise<never> => {
      recorded.push(line.join(' of '));
      throw new Error('full');
    };
    await expect(instruments.add('BINANCE', 'ATOM/USDT', full)).rejects.toThrow('full');
    expect([recorded, rows]).toEqual([['ATOMUSDT of binance'], []]);
  });

  test('announces nothing that could not be stored', async () => {
    const { instruments, catalogue } = await opened({
      store: { addInstrument: () => Promise.reject(new Error('full')) },
    });
    await expect(instruments.add('binance', 'ATOMUSDT', audit)).rejects.toThrow('full');
    expect(catalogue.has(asSymbol('ATOMUSDT'))).toBe(false);
  });
});

describe('searching', () => {
  test('finds symbols before names, the best matches first, and says what is there already', async () => {
    const { instruments } = await opened();
    const { items, unavailable } = await instruments.search('all', 'usdt', 3);
    expect(items.map(({ symbol, added }) => [symbol, added])).toEqual([
      ['ATOMUSDT', false],
      ['BTC-USDT', false],
      ['BTC-USDT.P', false],
    ]);
    expect([(await instruments.search('binance', 'atom/usdt', 3)).items, unavailable]).toMatchObject([
      [{ venue: 'binance', last_price: 4.1 }],
      [],
    ]);
  });

  test('asks the venue once in ten minutes, and again after a failure', async () => {
    const { instruments, list, time } = await opened();
    list.mockImplementationOnce(() => Promise.reject(new Error('status 500')));
    expect(await codeOf(instruments.search('binance', '', 1))).toBe('venue_unavailable');
    expect(await instruments.search('all', 'atom', 1)).toMatchObject({ unavailable: [] });
    await instruments.search('all', 'near', 1);
    expect(list).toHaveBeenCalledTimes(2);
    time.now += 10 * 60_000;
    await instruments.search('all', 'near', 1);
    expect(list).toHaveBeenCalledTimes(3);
  });

  test('names a venue that does not answer in time, whose list is kept once it has arrived', async () => {
    const late = Promise.withResolvers<VenueListing[]>();
    const { instruments, list } = await opened({ lists: new VenueLists(() => 0, 5) });
    list.mockImplementationOnce(() => late.promise);
    expect(await instruments.search('all', 'atom', 1)).toEqual({ items: [], unavailable: ['binance'] });
    late.resolve(LISTED);
    expect((await instruments.search('all', 'atom', 1)).items.length).toBe(1);
    expect(list).toHaveBeenCalledTimes(1);
  });
});

test('a catalogue reads from the store what the journal did not bring', async () => {
  const { catalogue, rows } = await opened();
  rows.push({
    ...{ symbol: asSymbol('NEARUSDT'), venue: 'binance', listing: JSON.stringify(listing('NEARUSDT')), addedAt: 5 },
  });
  await catalogue.load();
  await catalogue.load();
  expect(catalogue.instruments.filter(({ symbol }) => symbol === asSymbol('NEARUSDT')).length).toBe(1);
});

test('an instrument of a venue that is no longer configured is shown neither after a start nor after missed events', async () => {
  const { rows, store, given } = await opened();
  const gone = listing('ATOMUSD');
  rows.push({ symbol: gone.symbol, venue: 'kraken', listing: JSON.stringify(gone), addedAt: 5 });
  const restarted = await Catalogue.open(given, store);
  await restarted.load();
  expect(restarted.has(gone.symbol)).toBe(false);
});

test('a file that replaces the built-in instruments keeps those that were added', async () => {
  const { store, given, instruments } = await opened();
  await instruments.add('binance', 'ATOMUSDT', audit);
  const file = `${given.data}/instruments.json`;
  await Bun.write(
    file,
    JSON.stringify({ replace: true, instruments: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT', digits: 3 }] }),
  );
  const restarted = await Catalogue.open(given, store);
  expect(restarted.instruments.map(({ symbol }) => String(symbol))).toEqual(['BTCUSDT', 'ETHUSDT', 'ATOMUSDT']);
});
