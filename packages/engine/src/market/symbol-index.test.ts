import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CATALOGUE } from './catalogue.ts';
import { asSymbol } from './instrument.ts';
import { SymbolIndex, withoutVenue } from './symbol-index.ts';

const SYMBOLS = CATALOGUE.map(({ symbol }) => symbol);
const indexOf = (...symbols: string[]) => new SymbolIndex(symbols);

describe('an instrument is found', () => {
  const index = new SymbolIndex(SYMBOLS);

  test.each(['EURUSD', 'eurusd', 'EUR/USD', 'eur/usd', 'EUR_USD', 'EUR-USD'])('by %p', (text) => {
    expect(index.resolve(text)).toBe(asSymbol('EURUSD'));
  });

  test('by every mark between its currencies, in any case', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SYMBOLS),
        fc.constantFrom('/', '_', '-'),
        fc.nat(),
        fc.boolean(),
        (symbol, mark, place, isLower) => {
          const at = place % symbol.length;
          const text = `${symbol.slice(0, at)}${mark}${symbol.slice(at)}`;
          expect(index.resolve(isLower ? text.toLowerCase() : text)).toBe(symbol);
        },
      ),
    );
  });

  test('with a dash, a dot or an underscore in its own symbol', () => {
    const own = indexOf('BTC-PERP', 'BRK.B', 'ES_F');
    expect(['btc-perp', 'BTCPERP', 'BTC/PERP'].map((text) => own.resolve(text))).toEqual(Array(3).fill('BTC-PERP'));
    expect(own.resolve('brk.b')).toBe(asSymbol('BRK.B'));
    expect(own.resolve('ES-F')).toBe(asSymbol('ES_F'));
  });
});

describe('no instrument is found', () => {
  test.each(['', '/', 'NOSUCH', 'EUR USD', 'EUR.USD', 'OANDA:EURUSD', 'USD/EUR', '__proto__', 'constructor'])(
    'by %p',
    (text) => {
      expect(new SymbolIndex(SYMBOLS).resolve(text)).toBeUndefined();
    },
  );

  test('in dollars if Tether is meant, unless the catalogue has the pair', () => {
    expect(indexOf('BTCUSD').resolve('BTC/USDT')).toBeUndefined();
    expect(indexOf('BTCUSD', 'BTCUSDT').resolve('BTC/USDT')).toBe(asSymbol('BTCUSDT'));
  });

  test('by a spelling of two instruments, each of which has its own', () => {
    const index = indexOf('BTC-USD', 'BTCUSD');
    expect(index.resolve('btc-usd')).toBe(asSymbol('BTC-USD'));
    expect(index.resolve('btcusd')).toBe(asSymbol('BTCUSD'));
    expect(index.resolve('BTC/USD')).toBeUndefined();
  });
});

test('a venue before a colon is removed', () => {
  expect(['OANDA:EURUSD', 'EURUSD', 'A:B:C'].map(withoutVenue)).toEqual(['EURUSD', 'EURUSD', 'B:C']);
});
