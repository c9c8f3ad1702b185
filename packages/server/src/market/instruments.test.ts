import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { ConfigError } from '../config/config.ts';
import { importedName } from '../store/stored-numbers.ts';
import { applyInstrumentFile } from './instrument-file.ts';
import { type InstrumentSettings, loadInstruments, offeredInstruments, venueSymbols } from './instruments.ts';

const settings = (instruments: string | null, ...feeds: string[]): InstrumentSettings => ({
  data: join(folder, 'data'),
  feeds: feeds.length > 0 ? feeds : ['push'],
  venues: {},
  instruments,
  realm: feeds.includes('sim') ? 'sim' : 'live',
});

const folder = temporaryFolder();
const file = join(folder, 'instruments.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRY = {
  symbol: 'mine.x',
  name: 'My own',
  type: 'equity',
  pip_size: 0.01,
  digits: 2,
  contract_size: 1,
  margin_rate: 0.2,
  min_lot: 1,
  max_lot: 100,
};
const write = (content: unknown): string => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

test('returns the catalogue without a file', () => {
  expect(loadInstruments(settings(null))).toEqual(CATALOGUE);
});

test('gives the contracts of OANDA the hours of OANDA, except those of the file', () => {
  const oanda = {
    ...settings(write({ instruments: [{ ...ENTRY, symbol: 'NAS100', hours: 'us-index' }] })),
    feeds: ['oanda'],
  };
  const hours = Object.fromEntries(loadInstruments(oanda).map((spec) => [spec.symbol as string, spec.hours]));
  expect(hours).toMatchObject({
    EURUSD: 'oanda-forex',
    XAUUSD: 'oanda-metals',
    US500: 'oanda-us-index',
    NAS100: 'us-index',
    JPN225: 'oanda-japan-index',
    GER40: 'germany-index',
    UK100: 'uk-index',
    UKOIL: 'brent',
    USOIL: 'energy',
    BTCUSD: 'always',
  });
});

test('knows which instruments a venue delivers', () => {
  const delivered = (feeds: string[]): string[] => {
    const config = { ...settings(null), feeds };
    return [...venueSymbols(config, loadInstruments(config))];
  };
  expect(delivered(['push'])).toEqual([]);
  expect(delivered(['binance', 'push'])).toContain('BTCUSDT');
  expect(delivered(['binance'])).not.toContain('EURUSD');
  expect(delivered(['oanda'])).toEqual(expect.arrayContaining(['EURUSD', 'XAUUSD', 'UK100']));
  expect(delivered(['oanda'])).not.toContain('ETHUSD');
});

describe('a service shows', () => {
  /** Prices of some instruments, and an import of another. */
  const store = {
    lastPrices: async () => [{ symbol: asSymbol('GBPUSD'), quote: null, trade: null }],
    number: async (name: string) => (name === importedName('NATGAS') ? 1 : undefined),
  };
  const shown = async (given: InstrumentSettings) =>
    (await offeredInstruments(given, store)).map(({ symbol }) => String(symbol));

  test('instruments of its feeds, of the file, and those of which the store has data', async () => {
    const own = settings(write({ instruments: [ENTRY, { symbol: 'XAUUSD', digits: 2 }] }), 'binance');
    const symbols = await shown({ ...own, venues: { binance: { symbols: { BTCUSDT: 'BTCUSDT' } } } });
    expect(symbols).toEqual(['GBPUSD', 'XAUUSD', 'NATGAS', 'BTCUSDT', 'MINE.X']);
  });

  test('all instruments if any may be pushed, or if it is simulated or a replay', async () => {
    for (const given of [
      settings(null, 'kraken', 'push'),
      settings(null, 'sim'),
      { ...settings(null, 'kraken'), realm: 'replay' as const },
    ])
      expect(await shown(given)).toEqual(loadInstruments(given).map(({ symbol }) => String(symbol)));
  });
});

test('lets the first feed that offers an instrument declare what its bars are made of', () => {
  const barsOf = (symbol: string, ...feeds: string[]) =>
    loadInstruments(settings(null, ...feeds)).find((spec) => spec.symbol === symbol)?.bars;
  expect(barsOf('EURUSD', 'sim')).toBe('trades');
  expect(barsOf('BTCUSDT', 'binance')).toBe('trades');
  expect(barsOf('EURUSD', 'binance')).toBeUndefined();
  expect([barsOf('BTCUSD', 'oanda', 'kraken'), barsOf('BTCUSD', 'kraken', 'oanda')]).toEqual(['quotes', 'trades']);
  // Anything may be pushed.
  expect([barsOf('BTCUSDT', 'binance', 'push'), barsOf('BTCUSDT', 'push', 'binance')]).toEqual(['trades', undefined]);
  const replay = loadInstruments({ ...settings(null, 'sim'), realm: 'replay' });
  expect(replay.some(({ bars }) => bars !== undefined)).toBe(false);
});

test('adds instruments of a file, in upper case and always open by default', () => {
  const list = loadInstruments(settings(write({ instruments: [ENTRY] })));
  expect(list).toHaveLength(CATALOGUE.length + 1);
  expect(list.at(-1)).toMatchObject({ symbol: 'MINE.X', digits: 2, marginRate: 0.2, hours: 'always' });
});

test('replaces a known instrument', () => {
  const list = loadInstruments(
    settings(write({ instruments: [{ ...ENTRY, symbol: 'eurusd', digits: 6, hours: 'forex' }] })),
  );
  expect(list).toHaveLength(CATALOGUE.length);
  expect(list.find(({ symbol }) => symbol === 'EURUSD')).toMatchObject({ digits: 6, name: 'My own' });
});

test('changes single fields of a known instrument and keeps the others', () => {
  const change = (entry: object) =>
    loadInstruments(settings(write({ instruments: [{ symbol: 'xauusd', ...entry }] }))).find(
      ({ symbol }) => symbol === 'XAUUSD',
    )!;
  const gold = CATALOGUE.find(({ symbol }) => symbol === 'XAUUSD')!;
  const { source: _, ...terms } = gold;
  expect(change({ digits: 2 })).toEqual({ ...terms, digits: 2 });
  // The terms are still those of the public specifications.
  expect(change({ bars: 'quotes' })).toEqual({ ...gold, bars: 'quotes' });
});

test('lets the file decide what bars are made of, whatever the feeds declare', () => {
  const file = write({ instruments: [{ symbol: 'BTCUSDT', bars: 'quotes' }] });
  const specs = loadInstruments(settings(file, 'binance'));
  expect(specs.find(({ symbol }) => symbol === 'BTCUSDT')?.bars).toBe('quotes');
});

test('describes a perpetual, and changes its terms without making it a spot price', () => {
  const perpetual = {
    ...ENTRY,
    symbol: 'XAUUSDT.P',
    type: 'metal',
    contract: 'perpetual',
    underlying: 'XAU',
    venue: 'mine',
  };
  const [spec] = loadInstruments(settings(write({ replace: true, instruments: [perpetual] })));
  expect(spec).toMatchObject({ symbol: 'XAUUSDT.P', contract: 'perpetual', underlying: 'XAU', venue: 'mine' });
  const file = { replace: false, instruments: [{ symbol: 'XAUUSDT.P', min_lot: 2 }] };
  const [changed] = applyInstrumentFile('file', file, [spec!]);
  expect(changed).toEqual({ ...spec!, minLot: 2 });
});

test('reads instruments.json of the data folder if no file is configured', () => {
  const data = join(folder, 'with-file');
  mkdirSync(data);
  writeFileSync(join(data, 'instruments.json'), JSON.stringify({ instruments: [ENTRY] }));
  expect(loadInstruments({ ...settings(null), data }).at(-1)?.symbol as string).toBe('MINE.X');
});

test('has enough digits for the silver of OANDA', () => {
  const digits = (feed: string) =>
    loadInstruments(settings(null, feed)).find(({ symbol }) => symbol === 'XAGUSD')?.digits;
  expect([digits('push'), digits('oanda')]).toEqual([3, 5]);
});

test('names a source for the terms of every built-in instrument, and the unit of its contract', () => {
  for (const spec of loadInstruments(settings(null, 'binance')))
    expect([spec.symbol, (spec.source ?? '').length > 20, spec.contractUnit !== undefined]).toEqual([
      spec.symbol,
      true,
      true,
    ]);
});

test('replaces the whole catalogue, and a service runs on it', async () => {
  write({ replace: true, instruments: [ENTRY, { ...ENTRY, symbol: 'OTHER' }] });
  expect(loadInstruments(settings(file)).map(({ symbol }) => String(symbol))).toEqual(['MINE.X', 'OTHER']);
  const service = await startService({ instruments: file });
  const headers = { 'X-API-Key': service.app.demoKey! };
  const symbols = (await (await fetch(`${service.url}/api/symbols`, { headers })).json()) as { count: number };
  expect(symbols.count).toBe(2);
  const answer = await fetch(`${service.url}/api/market/mine.x?timeframe=1d&bars=500`, { headers });
  const { symbol, ohlcv } = (await answer.json()) as { symbol: string; ohlcv: { low: number }[] };
  expect(symbol).toBe('MINE.X');
  expect(ohlcv).toHaveLength(500);
  for (const { low } of ohlcv) expect(low).toBeGreaterThan(0);
  await service.stop();
});

describe('rejects a bad file with one line that names the place', () => {
  const without = ({ digits: _, ...rest }: typeof ENTRY) => rest;
  test.each([
    ['not JSON', '{', ''],
    ['a list', [ENTRY], 'the file'],
    ['no instruments', { instruments: [] }, 'instruments'],
    ['a missing field', { instruments: [ENTRY, { ...without(ENTRY), symbol: 'OTHER' }] }, 'instruments.1.digits'],
    ['an unknown field', { instruments: [{ ...ENTRY, pip: 1 }] }, 'pip'],
    ['an unknown type', { instruments: [{ ...ENTRY, type: 'bond' }] }, 'instruments.0.type'],
    ['unknown hours', { instruments: [{ ...ENTRY, hours: 'lunch' }] }, 'instruments.0.hours'],
    ['a bad symbol', { instruments: [{ ...ENTRY, symbol: 'A/B' }] }, 'instruments.0.symbol'],
    ['a negative pip', { instruments: [{ ...ENTRY, pip_size: -1 }] }, 'instruments.0.pip_size'],
    ['fractional digits', { instruments: [{ ...ENTRY, digits: 1.5 }] }, 'instruments.0.digits'],
    ['lots the wrong way round', { instruments: [{ ...ENTRY, min_lot: 200 }] }, 'max_lot is below min_lot'],
    ['a symbol twice', { instruments: [ENTRY, { ...ENTRY, symbol: 'MINE.X' }] }, 'duplicate symbol MINE.X'],
  ])('%s', (_name, content, says) => {
    write(content);
    const rejection = (() => {
      try {
        return loadInstruments(settings(file));
      } catch (error) {
        return error;
      }
    })();
    expect(rejection).toBeInstanceOf(ConfigError);
    const { message } = rejection as Error;
    expect(message).toStartWith(`instrument file ${file}: `);
    expect(message).toContain(says);
    expect(message).not.toContain('\n');
  });

  test('a missing file', () => {
    expect(() => loadInstruments(settings(join(folder, 'none.json')))).toThrow(ConfigError);
  });
});
