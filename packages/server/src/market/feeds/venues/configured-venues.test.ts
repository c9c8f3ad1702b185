import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { configuredVenues, withVenueInstruments } from './configured-venues.ts';
import { VENUES } from './registry.ts';
import { createVenueConnector } from './venue-connector.ts';
import { VENUE_INSTRUMENTS } from './venue-instruments.ts';

const configured = (...names: string[]) =>
  configuredVenues({ feeds: names.map((name) => `crypto:${name}`), venues: {} });

describe('configuredVenues', () => {
  test('maps BTC/USDT to BTCUSDT and BTC in dollars to BTCUSD', () => {
    const [binance, kraken, coinbase] = configured('binance', 'kraken', 'coinbase');
    expect(binance!.symbols.get('BTCUSDT')).toBe(asSymbol('BTCUSDT'));
    expect(kraken!.symbols.get('BTC/USD')).toBe(asSymbol('BTCUSD'));
    expect(coinbase!.symbols.get('BTC-USD')).toBe(asSymbol('BTCUSD'));
  });

  test('replaces the default symbols by configured ones', () => {
    const venues = { binance: { symbols: { BTCEUR: 'BTCEUR' } } };
    const [binance] = configuredVenues({ feeds: ['crypto:binance'], venues });
    expect([...binance!.symbols]).toEqual([['BTCEUR', asSymbol('BTCEUR')]]);
  });

  test('rejects an unknown venue and lists the known ones', () => {
    expect(() => configured('mtgox')).toThrow('unknown venue mtgox. Known venues: binance, kraken, coinbase');
    expect(() => configured('toString')).toThrow('unknown venue');
  });

  test('rejects more symbols than one connection can carry', () => {
    const symbols = new Map(Array.from({ length: 513 }, (_, n) => [`C${n}USDT`, asSymbol(`C${n}USDT`)]));
    expect(() => createVenueConnector(VENUES.binance!, { symbols })).toThrow('513 symbols, but one connection');
  });
});

describe('withVenueInstruments', () => {
  const digitsOf = (code: string, ...names: string[]) =>
    withVenueInstruments(configured(...names)).find(({ symbol }) => symbol === asSymbol(code))?.digits;

  test('has a specification for every default symbol', () => {
    const known = new Set([...CATALOGUE, ...VENUE_INSTRUMENTS].map((spec) => String(spec.symbol)));
    for (const { symbols, instruments = [] } of Object.values(VENUES)) {
      const listed = new Set(instruments.map(({ symbol }) => String(symbol)));
      expect(Object.keys(symbols).filter((symbol) => !known.has(symbol) && !listed.has(symbol))).toEqual([]);
    }
  });

  test('adds instruments that the catalogue lacks, only for the venues that offer them', () => {
    expect(digitsOf('BTCUSDT', 'binance')).toBe(2);
    expect(digitsOf('BTCUSDT', 'kraken')).toBeUndefined();
    expect(withVenueInstruments(configured())).toEqual([...CATALOGUE]);
  });

  test('uses enough digits for every venue that offers the symbol, in any order', () => {
    expect(digitsOf('ADAUSD', 'coinbase', 'kraken')).toBe(6);
    expect(digitsOf('DOGEUSD', 'kraken', 'coinbase')).toBe(7);
  });
});
