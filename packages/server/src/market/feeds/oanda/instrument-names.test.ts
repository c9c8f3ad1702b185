import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { candidateNames, chooseNames } from './instrument-names.ts';

const all = candidateNames(CATALOGUE);
const candidates = (symbol: string) => all.get(asSymbol(symbol));

describe('OANDA instrument names', () => {
  test('splits pairs of currencies and metals in the middle', () => {
    expect(candidates('EURUSD')).toEqual(['EUR_USD']);
    expect(candidates('USDJPY')).toEqual(['USD_JPY']);
    expect(candidates('XAUUSD')).toEqual(['XAU_USD']);
  });

  test('has names for indices, energy and bitcoin', () => {
    const table = ['US500', 'NAS100', 'US30', 'UK100', 'JPN225', 'USOIL', 'UKOIL', 'NATGAS', 'BTCUSD'].map(
      (symbol) => candidates(symbol)?.[0],
    );
    expect(table).toEqual([
      'SPX500_USD',
      'NAS100_USD',
      'US30_USD',
      'UK100_GBP',
      'JP225_USD',
      'WTICO_USD',
      'BCO_USD',
      'NATGAS_USD',
      'BTC_USD',
    ]);
  });

  test('leaves out instruments that OANDA does not offer', () => {
    expect(candidates('DOGEUSD')).toBeUndefined();
    expect(candidates('SOLUSD')).toBeUndefined();
    expect(all.size).toBe(CATALOGUE.length - 7);
  });

  test('gives no two symbols the same name', () => {
    const names = [...all.values()].flat();
    expect(new Set(names).size).toBe(names.length);
  });

  test('uses only the configured name of a symbol', () => {
    const own = candidateNames(CATALOGUE, { GER40: 'DE30_EUR', ETHUSD: 'ETH_USD' });
    expect(own.get(asSymbol('GER40'))).toEqual(['DE30_EUR']);
    expect(own.get(asSymbol('ETHUSD'))).toEqual(['ETH_USD']);
  });

  test('chooses the name that the account offers and reports missing symbols', () => {
    for (const name of ['DE30_EUR', 'DE40_EUR']) {
      const { names, missing } = chooseNames(all, new Set(['EUR_USD', name, 'SUGAR_USD']));
      expect([...names]).toEqual([
        ['EUR_USD', asSymbol('EURUSD')],
        [name, asSymbol('GER40')],
      ]);
      expect(missing).toHaveLength(all.size - 2);
    }
  });
});
