import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { instrumentsOf, VENUE_INSTRUMENTS } from './instruments.ts';
import { assignSymbols } from './ownership.ts';
import { VENUES } from './registry.ts';

describe('ownership of symbols', () => {
  test('BTC/USDT is the instrument BTCUSDT, and BTC in dollars is BTCUSD', () => {
    const { owned } = assignSymbols([{ name: 'binance' }, { name: 'kraken' }]);
    expect(owned.get('binance')?.get('BTCUSDT')).toBe(asSymbol('BTCUSDT'));
    expect(owned.get('kraken')?.get('BTC/USD')).toBe(asSymbol('BTCUSD'));
  });

  test('the first venue in the configuration owns a symbol that several offer, the others stand by', () => {
    const { owned, standby } = assignSymbols([{ name: 'coinbase' }, { name: 'kraken' }]);
    expect(owned.get('coinbase')?.get('BTC-USD')).toBe(asSymbol('BTCUSD'));
    expect(owned.get('kraken')?.size).toBe(0);
    expect(standby.get(asSymbol('BTCUSD'))).toEqual([{ venue: 'kraken', venueSymbol: 'BTC/USD' }]);
  });

  test('a configured mapping takes the place of the defaults', () => {
    const { owned } = assignSymbols([{ name: 'binance', symbols: { BTCEUR: 'BTCEUR' } }]);
    expect([...owned.get('binance')!]).toEqual([['BTCEUR', asSymbol('BTCEUR')]]);
  });

  test('a venue that does not exist is refused with the names of those that do', () => {
    expect(() => assignSymbols([{ name: 'mtgox' }])).toThrow('mtgox is no venue; there are binance, kraken, coinbase');
    expect(() => assignSymbols([{ name: 'toString' }])).toThrow('no venue');
  });

  test('more symbols than one connection of a venue may carry are refused at once', () => {
    const symbols = new Map(Array.from({ length: 513 }, (_, n) => [`C${n}USDT`, asSymbol(`C${n}USDT`)]));
    expect(() => VENUES.binance!.create({ symbols })).toThrow('513 symbols are more than one connection');
  });
});

describe('instruments of the venues', () => {
  test('every symbol of the default mappings has a specification', () => {
    const known = new Set([...CATALOGUE, ...VENUE_INSTRUMENTS].map((spec) => String(spec.symbol)));
    for (const { defaults } of Object.values(VENUES)) {
      expect(Object.keys(defaults).filter((symbol) => !known.has(symbol))).toEqual([]);
    }
  });

  test('only what the catalogue lacks is added, and digits grow where the owner has more of them', () => {
    const added = instrumentsOf(assignSymbols([{ name: 'binance' }, { name: 'kraken' }]));
    expect(added.map((spec) => String(spec.symbol)).filter((symbol) => symbol.endsWith('USD'))).toEqual([
      'ADAUSD',
      'DOGEUSD',
    ]);
    expect(added.find((spec) => spec.symbol === 'DOGEUSD')?.digits).toBe(7);
    expect(added.find((spec) => spec.symbol === 'BTCUSDT')?.digits).toBe(2);
    expect(instrumentsOf(assignSymbols([{ name: 'coinbase' }]))).toEqual([]);
    const shared = instrumentsOf(assignSymbols([{ name: 'coinbase' }, { name: 'kraken' }]));
    expect(shared.find((spec) => spec.symbol === 'ADAUSD')?.digits).toBe(6);
  });
});
