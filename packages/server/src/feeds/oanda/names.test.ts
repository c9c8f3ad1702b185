import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { chooseNames, wantedNames } from './names.ts';

const wanted = wantedNames(CATALOGUE);
const candidates = (symbol: string) => wanted.get(asSymbol(symbol));

describe('OANDA names', () => {
  test('pairs of currencies and metals are split in the middle', () => {
    expect(candidates('EURUSD')).toEqual(['EUR_USD']);
    expect(candidates('USDJPY')).toEqual(['USD_JPY']);
    expect(candidates('XAUUSD')).toEqual(['XAU_USD']);
  });

  test('indices, energy and bitcoin have names of their own', () => {
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

  test('what OANDA cannot have is not asked for', () => {
    expect(candidates('DOGEUSD')).toBeUndefined();
    expect(candidates('SOLUSD')).toBeUndefined();
    expect(wanted.size).toBe(CATALOGUE.length - 7);
  });

  test('no two symbols share a name', () => {
    const all = [...wanted.values()].flat();
    expect(new Set(all).size).toBe(all.length);
  });

  test('a name of the configuration is the only one tried', () => {
    const own = wantedNames(CATALOGUE, { GER40: 'DE30_EUR', ETHUSD: 'ETH_USD' });
    expect(own.get(asSymbol('GER40'))).toEqual(['DE30_EUR']);
    expect(own.get(asSymbol('ETHUSD'))).toEqual(['ETH_USD']);
  });

  test('the account decides under which name the German index goes, and what is missing is named', () => {
    for (const name of ['DE30_EUR', 'DE40_EUR']) {
      const { names, missing } = chooseNames(wanted, new Set(['EUR_USD', name, 'SUGAR_USD']));
      expect([...names]).toEqual([
        ['EUR_USD', asSymbol('EURUSD')],
        [name, asSymbol('GER40')],
      ]);
      expect(missing).toHaveLength(wanted.size - 2);
    }
  });
});
