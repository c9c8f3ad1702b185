import { describe, expect, test } from 'bun:test';
import { SignalHistory } from '../../testing/signal-history.ts';
import { closed } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { exposureOf, legsOf } from './exposure.ts';

const signal = (symbol: string, direction: 'buy' | 'sell') => closed(0, { symbol: asSymbol(symbol), direction });

describe('exposure', () => {
  test('splits a symbol that ends with a currency', () => {
    expect(
      ['EURUSD', 'XAUUSD', 'BTCUSDT', 'AUDNZD', 'US500', 'NATGAS', 'USD'].map((each) => legsOf(asSymbol(each))),
    ).toEqual([
      { base: 'EUR', quote: 'USD' },
      { base: 'XAU', quote: 'USD' },
      { base: 'BTC', quote: 'USDT' },
      { base: 'AUD', quote: 'NZD' },
      { base: 'US500', quote: null },
      { base: 'NATGAS', quote: null },
      { base: 'USD', quote: null },
    ]);
  });

  test('nets the currencies of all open signals, the largest first', () => {
    expect(exposureOf([signal('EURUSD', 'buy'), signal('GBPUSD', 'buy'), signal('USDCHF', 'sell')])).toEqual([
      { asset: 'USD', netR: -3, signals: 3 },
      { asset: 'CHF', netR: 1, signals: 1 },
      { asset: 'EUR', netR: 1, signals: 1 },
      { asset: 'GBP', netR: 1, signals: 1 },
    ]);
    expect(exposureOf([signal('US500', 'buy'), signal('US500', 'sell')])).toEqual([
      { asset: 'US500', netR: 0, signals: 2 },
    ]);
    expect(exposureOf([])).toEqual([]);
  });

  test('covers filled signals only', () => {
    const history = new SignalHistory();
    history.publish({ order: 'limit' });
    history.trade(1);
    expect(history.record.marked(history.markOf).exposure).toEqual([]);
    history.publish({ symbol: asSymbol('US30'), direction: 'sell' });
    expect(history.record.marked(history.markOf).exposure).toEqual([{ asset: 'US30', netR: -1, signals: 1 }]);
  });
});

describe('open signals', () => {
  test('have a sum, a worst excursion and a drawdown from the peak', () => {
    const history = new SignalHistory();
    history.trade(2);
    history.trade(-0.5);
    const marked = () => history.record.marked(history.markOf);
    expect(marked()).toMatchObject({ openR: 0, worstOpenR: null, drawdownR: 0.5 });
    const one = history.publish();
    history.marks.set(one, -0.75).set(history.publish({ direction: 'sell' }), 0.25);
    expect(marked()).toMatchObject({ openR: -0.5, worstOpenR: -0.75, drawdownR: 1 });
    history.marks.set(one, 4);
    expect(marked()).toMatchObject({ openR: 4.25, worstOpenR: 0.25, drawdownR: 0 });
    history.close(one, 4);
    expect(history.record.equity().map(({ open }) => open)).toEqual([0, 0, 0]);
  });
});
