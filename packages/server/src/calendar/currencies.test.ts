import { expect, test } from 'bun:test';
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { AffectedInstruments, countryOfCurrency, currencyOfCountry } from './currencies.ts';

const spec = (symbol: string, changes: Partial<InstrumentSpec> = {}): InstrumentSpec => ({
  ...CATALOGUE[0]!,
  symbol: asSymbol(symbol),
  ...changes,
});

test('an event affects pairs by both currencies, and everything else by the currency of its prices', () => {
  const affected = new AffectedInstruments([
    spec('EURUSD'),
    spec('EURGBP'),
    spec('USDJPY'),
    spec('XAUUSD', { type: 'metal' }),
    spec('BTCUSDT', { type: 'crypto', currency: 'USDT' }),
    spec('GER40', { type: 'index', currency: 'EUR' }),
    spec('USOIL', { type: 'energy' }),
    spec('USDCNH'),
  ]);
  expect(affected.of('USD').map(String)).toEqual(['EURUSD', 'USDJPY', 'XAUUSD', 'BTCUSDT', 'USOIL', 'USDCNH']);
  expect(affected.of('EUR').map(String)).toEqual(['EURUSD', 'EURGBP', 'GER40']);
  expect(affected.of('CNY').map(String)).toEqual(['USDCNH']);
  expect(affected.of('SEK')).toEqual([]);
});

test('every currency pair of the catalogue is affected by both its currencies', () => {
  const affected = new AffectedInstruments(CATALOGUE);
  for (const { symbol } of CATALOGUE.filter(({ type }) => type === 'forex')) {
    expect(affected.of(symbol.slice(0, 3))).toContain(symbol);
    expect(affected.of(symbol.slice(3))).toContain(symbol);
  }
});

test('countries and currencies', () => {
  expect(['US', 'EU', 'DE', 'GB', 'XX', 'constructor'].map(currencyOfCountry)).toEqual([
    'USD',
    'EUR',
    'EUR',
    'GBP',
    null,
    null,
  ]);
  expect(['USD', 'EUR', 'GBP', 'XXX'].map(countryOfCurrency)).toEqual(['US', 'EU', 'GB', null]);
});
