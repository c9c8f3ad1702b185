import { describe, expect, test } from 'bun:test';
import { CATALOGUE } from './catalogue.ts';
import { CurrencyConverter, pairOf, priceCurrency } from './currency.ts';
import { asSymbol, type InstrumentSpec } from './instrument.ts';
import { positionSize } from './position-size.ts';

const spec = (code: string): InstrumentSpec => CATALOGUE.find(({ symbol }) => symbol === code)!;

describe('position size', () => {
  test('loses the given share of the balance at the stop', () => {
    // 30 pips × 100,000 = 300 USD per lot; 1 % of 10,000 is 100 USD.
    const euro = { entry: 1.084, stopLoss: 1.081, balance: 10_000, riskPercent: 1, rate: 1 };
    expect(positionSize(spec('EURUSD'), euro)).toEqual({
      lots: 0.33,
      units: 33_000,
      risk: 99,
      riskPercent: 0.99,
      lossPerLot: 300,
      limitedBy: null,
    });
    // In yen: 0.50 × 100,000 = 50,000 JPY = 333.33 USD per lot at 150.
    const yen = { entry: 150, stopLoss: 150.5, balance: 10_000, riskPercent: 2, rate: 1 / 150 };
    expect(positionSize(spec('USDJPY'), yen)).toMatchObject({ lots: 0.6, risk: 200, riskPercent: 2 });
  });

  test('is 0 if the smallest lot would risk more, and at most the largest lot', () => {
    const tight = { entry: 1.084, stopLoss: 1.081, balance: 100, riskPercent: 1, rate: 1 };
    expect(positionSize(spec('EURUSD'), tight)).toMatchObject({ lots: 0, risk: 0, limitedBy: 'min_lot' });
    const rich = { entry: 1.084, stopLoss: 1.081, balance: 1e9, riskPercent: 10, rate: 1 };
    expect(positionSize(spec('EURUSD'), rich)).toMatchObject({ lots: 100, risk: 30_000, limitedBy: 'max_lot' });
  });

  test('never risks more than asked, over many sizes', () => {
    for (let balance = 137; balance < 1e6; balance *= 1.37)
      for (const riskPercent of [0.1, 0.5, 1, 3]) {
        const input = { entry: 2_412.7, stopLoss: 2_405.111, balance, riskPercent, rate: 0.93 };
        const { lots } = positionSize(spec('XAUUSD'), input);
        const loss = lots * 7.589 * 100 * 0.93;
        expect(loss).toBeLessThanOrEqual(((balance * riskPercent) / 100) * (1 + 1e-6));
        expect(Math.abs(lots / 0.01 - Math.round(lots / 0.01))).toBeLessThan(1e-6);
      }
  });
});

describe('currencies', () => {
  const middles: Readonly<Record<string, number>> = { EURUSD: 1.1, USDJPY: 150, GBPUSD: 1.25, BTCUSD: 60_000 };
  const converter = new CurrencyConverter(CATALOGUE, (symbol) => middles[symbol] ?? null);

  test.each([
    ['USD', 'USD', 1],
    ['USDT', 'USD', 1],
    ['EUR', 'USD', 1.1],
    ['USD', 'EUR', 1 / 1.1],
    ['JPY', 'EUR', 1 / 150 / 1.1],
    ['GBP', 'JPY', 187.5],
    ['USD', 'BTC', 1 / 60_000],
  ])('a %s in %s', (from, to, rate) => {
    expect(converter.rate(from, to)).toBeCloseTo(rate, 12);
  });

  test('without a connecting quote have no rate', () => {
    expect(converter.rate('USD', 'SEK')).toBeNull();
    expect(converter.rate('CAD', 'USD')).toBeNull();
  });

  test('of instruments follow from their codes', () => {
    const known = Object.fromEntries(CATALOGUE.map((each) => [each.symbol, priceCurrency(each)]));
    expect(known).toMatchObject({
      EURUSD: 'USD',
      USDJPY: 'JPY',
      XAUUSD: 'USD',
      GER40: 'EUR',
      USOIL: 'USD',
      BTCUSD: 'USD',
    });
    expect(Object.values(known)).not.toContain(null);
    const { currency: _, ...custom } = { ...spec('US500'), symbol: asSymbol('FR40') };
    expect(priceCurrency(custom)).toBeNull();
    expect(priceCurrency({ ...custom, currency: 'EUR' })).toBe('EUR');
    expect(pairOf({ ...spec('BTCUSD'), symbol: asSymbol('BTCUSDT') })).toEqual({ base: 'BTC', quote: 'USDT' });
    expect(priceCurrency({ ...spec('BTCUSD'), symbol: asSymbol('BTCUSDT') })).toBe('USD');
  });
});
