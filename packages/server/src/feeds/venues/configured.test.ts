import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { configuredVenues, withVenueInstruments } from './configured.ts';
import { VENUE_INSTRUMENTS } from './instruments.ts';
import { VENUES } from './registry.ts';

const configured = (...names: string[]) =>
  configuredVenues({ feeds: names.map((name) => `crypto:${name}`), venues: {} });

describe('the venues of a configuration', () => {
  test('BTC/USDT is the instrument BTCUSDT, and BTC in dollars is BTCUSD', () => {
    const [binance, kraken, coinbase] = configured('binance', 'kraken', 'coinbase');
    expect(binance!.symbols.get('BTCUSDT')).toBe(asSymbol('BTCUSDT'));
    expect(kraken!.symbols.get('BTC/USD')).toBe(asSymbol('BTCUSD'));
    expect(coinbase!.symbols.get('BTC-USD')).toBe(asSymbol('BTCUSD'));
  });

  test('a configured mapping takes the place of the defaults', () => {
    const venues = { binance: { symbols: { BTCEUR: 'BTCEUR' } } };
    const [binance] = configuredVenues({ feeds: ['crypto:binance'], venues });
    expect([...binance!.symbols]).toEqual([['BTCEUR', asSymbol('BTCEUR')]]);
  });

  test('a venue that does not exist is refused with the names of those that do', () => {
    expect(() => configured('mtgox')).toThrow('mtgox, which is no venue: there are binance, kraken, coinbase');
    expect(() => configured('toString')).toThrow('no venue');
  });

  test('more symbols than one connection of a venue may carry are refused at once', () => {
    const symbols = new Map(Array.from({ length: 513 }, (_, n) => [`C${n}USDT`, asSymbol(`C${n}USDT`)]));
    expect(() => VENUES.binance!.create({ symbols })).toThrow('513 symbols are more than one connection');
  });
});

describe('instruments of the venues', () => {
  const digitsOf = (code: string, ...names: string[]) =>
    withVenueInstruments(configured(...names)).find(({ symbol }) => symbol === asSymbol(code))?.digits;

  test('every symbol of the default mappings has a specification', () => {
    const known = new Set([...CATALOGUE, ...VENUE_INSTRUMENTS].map((spec) => String(spec.symbol)));
    for (const { defaults } of Object.values(VENUES)) {
      expect(Object.keys(defaults).filter((symbol) => !known.has(symbol))).toEqual([]);
    }
  });

  test('what the catalogue lacks is added, and only for the venues that have it', () => {
    expect(digitsOf('BTCUSDT', 'binance')).toBe(2);
    expect(digitsOf('BTCUSDT', 'kraken')).toBeUndefined();
    expect(withVenueInstruments(configured())).toEqual([...CATALOGUE]);
  });

  test('digits are enough for every venue that offers the symbol, whichever comes first', () => {
    expect(digitsOf('ADAUSD', 'coinbase', 'kraken')).toBe(6);
    expect(digitsOf('DOGEUSD', 'kraken', 'coinbase')).toBe(7);
  });
});
