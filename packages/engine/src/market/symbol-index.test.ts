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

describe('a perpetual is found', () => {
  const index = indexOf(
    'BTCUSDT',
    'BTCUSDT.P',
    'BTCUSD',
    'XAUUSD',
    'XAUUSDT.P',
    'GOLDUSDC.P',
    'XYZ100USDC.P',
    'EURUSDC.P',
  );

  test.each([
    ['BTCUSDT.P', 'BTCUSDT.P'],
    ['btcusdt.p', 'BTCUSDT.P'],
    ['BTC/USDT.P', 'BTCUSDT.P'],
    ['BTC-USDT-SWAP', 'BTCUSDT.P'],
    ['btc-usdt-swap', 'BTCUSDT.P'],
    ['BTC/USDT:USDT', 'BTCUSDT.P'],
    ['BTCUSDT-PERP', 'BTCUSDT.P'],
    ['BTCUSDT_PERP', 'BTCUSDT.P'],
    ['xyz:GOLD', 'GOLDUSDC.P'],
    ['XYZ:XYZ100', 'XYZ100USDC.P'],
    ['GOLD/USDC:USDC', 'GOLDUSDC.P'],
  ])('by %p', (text, symbol) => {
    expect(index.resolve(text)).toBe(asSymbol(symbol));
  });

  test('never by the spelling of a spot price, nor a spot price by that of a perpetual', () => {
    expect(index.resolve('BTC-USD')).toBe(asSymbol('BTCUSD'));
    expect(index.resolve('XAU/USD')).toBe(asSymbol('XAUUSD'));
    const perpetuals = indexOf('XAUUSDT.P', 'XAUUSD.P', 'GOLDUSDC.P', 'EURUSDC.P');
    for (const text of ['XAUUSD', 'XAU/USD', 'XAUUSDT', 'GOLD', 'EURUSDC', 'BTC/USDT:BTC', 'OANDA:EUR'])
      expect([text, perpetuals.resolve(text)]).toEqual([text, undefined]);
    for (const text of ['BTC-USD-SWAP', 'BTC/USD:USD', 'BTC/USD:BTC', 'XAUUSD-PERP'])
      expect([text, index.resolve(text)]).toEqual([text, undefined]);
  });

  test('after the venue that charts write before a colon', () => {
    expect(
      ['BINANCE:BTCUSDT.P', 'BTC/USDT:USDT', 'xyz:GOLD', 'OANDA:XAUUSD'].map((text) => index.resolveWithVenue(text)),
    ).toEqual(['BTCUSDT.P', 'BTCUSDT.P', 'GOLDUSDC.P', 'XAUUSD'].map(asSymbol));
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

test('knows what a text without an instrument may mean', () => {
  const index = new SymbolIndex(['EURUSD', 'XAUUSD', 'BTCUSD', 'BTCUSDT', 'BTCUSDT.P', 'AAPL']);
  expect(index.similar('XAUEUR').map(String)).toEqual(['XAUUSD']);
  expect(index.similar('btc').map(String)).toEqual(['BTCUSD', 'BTCUSDT', 'BTCUSDT.P']);
  expect(index.similar('AAPL.US').map(String)).toEqual(['AAPL']);
  expect(index.similar('ZZZ')).toEqual([]);
  expect(index.similar('x')).toEqual([]);
});
