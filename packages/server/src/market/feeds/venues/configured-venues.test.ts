import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { loadConfig } from '../../../config/config.ts';
import { LIVE_MARKETS } from '../../../config/feeds.ts';
import { loadInstruments } from '../../instruments.ts';
import { configuredVenues, withVenueInstruments } from './configured-venues.ts';
import { VENUES } from './registry.ts';
import type { VenueListing } from './venue.ts';
import { createVenueConnector } from './venue-connector.ts';
import { specOfListing } from './venue-instruments.ts';

const configured = (...names: string[]) => configuredVenues({ feeds: names, venues: {} });

describe('configuredVenues', () => {
  test('maps BTC/USDT to BTCUSDT and BTC in dollars to BTCUSD', () => {
    const [binance, kraken, coinbase] = configured('binance', 'kraken', 'coinbase');
    expect(binance!.symbols.get('BTCUSDT')).toBe(asSymbol('BTCUSDT'));
    expect(kraken!.symbols.get('BTC/USD')).toBe(asSymbol('BTCUSD'));
    expect(coinbase!.symbols.get('BTC-USD')).toBe(asSymbol('BTCUSD'));
  });

  test('replaces the default symbols by configured ones', () => {
    const venues = { binance: { symbols: { BTCEUR: 'BTCEUR' } } };
    const [binance] = configuredVenues({ feeds: ['binance'], venues });
    expect([...binance!.symbols]).toEqual([['BTCEUR', asSymbol('BTCEUR')]]);
  });

  test('rejects an unknown venue and lists the known ones', () => {
    expect(() => configured('mtgox')).toThrow('unknown venue mtgox. Known venues: binance, kraken, coinbase');
    expect(() => configured('toString')).toThrow('unknown venue');
    expect(() => configured('mtgox')).toThrow('Other feeds: live, sim, push, oanda');
  });

  test('rejects addresses of an unknown venue, whatever the feeds are', () => {
    const of = (venues: Parameters<typeof configuredVenues>[0]['venues']) =>
      configuredVenues({ feeds: ['sim'], venues });
    expect(() => of({ krakn: { ws_url: 'ws://localhost' } })).toThrow(
      'venues.krakn: unknown venue krakn. Known venues: ',
    );
    expect(of({ kraken: { ws_url: 'ws://localhost' } })).toEqual([]);
  });

  test('offers every instrument of the feed live, in the spelling that the venue has by default', () => {
    for (const { venue, symbols } of configuredVenues(loadConfig({ env: {}, live: true }))) {
      const spellings = new Map(Object.entries(venue.symbols));
      for (const [venueSymbol, symbol] of symbols)
        expect([symbol, spellings.get(symbol) ?? venueSymbol]).toEqual([symbol, venueSymbol]);
    }
    const known = new Set<string>(loadInstruments(loadConfig({ env: {}, live: true })).map(({ symbol }) => symbol));
    expect(
      Object.values(LIVE_MARKETS).flatMap((symbols) => Object.keys(symbols).filter((code) => !known.has(code))),
    ).toEqual([]);
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
    for (const name of Object.keys(VENUES)) {
      const known = new Set(withVenueInstruments(configured(name)).map((spec) => String(spec.symbol)));
      expect(Object.keys(VENUES[name]!.symbols).filter((symbol) => !known.has(symbol))).toEqual([]);
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

describe('specOfListing', () => {
  const gold: VenueListing = {
    venueSymbol: 'XAUUSDT',
    symbol: asSymbol('XAUUSDT.P'),
    name: 'Gold perpetual',
    type: 'metal',
    digits: 2,
    contract: 'perpetual',
    underlying: 'XAU',
    quoteCurrency: 'USDT',
  };
  const spec = (given: Partial<VenueListing>) => specOfListing({ ...gold, ...given }, 'binanceusdm');

  test('has the terms of the spot price that a perpetual follows, in lots of one unit, and never closes', () => {
    expect(spec({})).toMatchObject({
      symbol: 'XAUUSDT.P',
      type: 'metal',
      pipSize: 0.01,
      levelSize: 0.5,
      contractSize: 1,
      contractUnit: 'troy ounces',
      currency: 'USDT',
      marginRate: 0.05,
      hours: 'always',
      contract: 'perpetual',
      underlying: 'XAU',
      venue: 'binanceusdm',
    });
    expect(spec({ underlying: 'BTC', type: 'crypto' })).toMatchObject({ pipSize: 1, minLot: 0.01, maxLot: 50 });
    // By the name of the venue.
    expect(spec({ underlying: 'GOLD' })).toMatchObject({ underlying: 'XAU', levelSize: 0.5 });
    expect(spec({ underlying: 'JPY', type: 'forex', digits: 4 })).toMatchObject({
      underlying: 'USDJPY',
      pipSize: 0.01,
    });
    expect(spec({ underlying: 'SP500', type: 'index' })).toMatchObject({
      underlying: 'US500',
      contractUnit: 'USDT per point',
    });
  });

  test('has the terms of its class if it follows nothing of the catalogue', () => {
    const terms = (type: VenueListing['type'], digits: number, lastPrice?: number) => {
      const { pipSize, levelSize, marginRate } = spec({
        underlying: 'OTHER',
        type,
        digits,
        ...(lastPrice !== undefined && { lastPrice }),
      });
      return [pipSize, levelSize, marginRate];
    };
    expect(terms('crypto', 4, 3.2)).toEqual([0.001, undefined, 0.5]);
    expect(terms('crypto', 1, 60_000)).toEqual([1, 10, 0.5]);
    expect(terms('index', 1, 25_000)).toEqual([1, 5, 0.05]);
    expect(terms('energy', 2, 70)).toEqual([0.01, undefined, 0.1]);
    expect(terms('equity', 2, 180)).toEqual([0.01, 0.02, 0.2]);
    expect(terms('forex', 3)).toEqual([0.01, undefined, 0.05]);
    // Never less than a tick.
    expect(terms('metal', 1)).toEqual([0.1, undefined, 0.1]);
  });

  test('leaves a spot listing without a contract', () => {
    const { contract: _, underlying: __, ...spot } = gold;
    expect(specOfListing({ ...spot, symbol: asSymbol('XAUUSDT') }, 'any')).not.toHaveProperty('contract');
  });
});
