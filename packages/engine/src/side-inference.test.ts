import { describe, expect, test } from 'bun:test';
import { SideInference } from './side-inference.ts';

describe('side inference', () => {
  test('above the middle of the quote is a buy, below it a sell', () => {
    const inference = new SideInference();
    inference.quote(1.1, 1.2);
    expect(inference.trade(1.2)).toEqual({ side: 'buy', sideMethod: 'quote_rule' });
    expect(inference.trade(1.1)).toEqual({ side: 'sell', sideMethod: 'quote_rule' });
  });

  test('at the middle the last change of price decides, and an unchanged price follows the trade before', () => {
    const inference = new SideInference();
    inference.quote(2, 4);
    inference.trade(2);
    expect(inference.trade(3)).toEqual({ side: 'buy', sideMethod: 'tick_rule' });
    expect(inference.trade(3)).toEqual({ side: 'buy', sideMethod: 'tick_rule' });
    inference.trade(4);
    expect(inference.trade(3)).toEqual({ side: 'sell', sideMethod: 'tick_rule' });
  });

  test('without a quote, or with a crossed one, the tick rule stands alone', () => {
    const inference = new SideInference();
    inference.trade(10);
    expect(inference.trade(11).sideMethod).toBe('tick_rule');
    inference.quote(12, 11);
    expect(inference.trade(10)).toEqual({ side: 'sell', sideMethod: 'tick_rule' });
  });
});
