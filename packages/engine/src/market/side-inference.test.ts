import { describe, expect, test } from 'bun:test';
import { SideInference } from './side-inference.ts';

describe('side inference', () => {
  test('infers a buy above the midpoint of the quote and a sell below it', () => {
    const inference = new SideInference();
    inference.quote(0, 1.1, 1.2);
    expect(inference.trade(1, 1.2)).toEqual({ side: 'buy', sideMethod: 'quote_rule' });
    expect(inference.trade(1, 1.1)).toEqual({ side: 'sell', sideMethod: 'quote_rule' });
  });

  test('uses the last change of price at the midpoint, and the previous side if the price is unchanged', () => {
    const inference = new SideInference();
    inference.quote(0, 2, 4);
    inference.trade(1, 2);
    expect(inference.trade(1, 3)).toEqual({ side: 'buy', sideMethod: 'tick_rule' });
    expect(inference.trade(1, 3)).toEqual({ side: 'buy', sideMethod: 'tick_rule' });
    inference.trade(1, 4);
    expect(inference.trade(1, 3)).toEqual({ side: 'sell', sideMethod: 'tick_rule' });
  });

  test('uses only the tick rule without a quote or with a crossed one', () => {
    const inference = new SideInference();
    inference.trade(1, 10);
    expect(inference.trade(1, 11).sideMethod).toBe('tick_rule');
    inference.quote(0, 12, 11);
    expect(inference.trade(1, 10)).toEqual({ side: 'sell', sideMethod: 'tick_rule' });
  });

  test('does not use the quote that results from the trade, even if it arrives first', () => {
    const inference = new SideInference();
    inference.quote(1_000, 1.1, 1.2);
    inference.quote(2_000, 1.3, 1.4);
    expect(inference.trade(2_000, 1.2)).toEqual({ side: 'buy', sideMethod: 'quote_rule' });
    expect(inference.trade(2_001, 1.2)).toEqual({ side: 'sell', sideMethod: 'quote_rule' });
    for (let index = 0; index < 600; index++) inference.quote(3_000, 2.1, 2.2);
    expect(inference.trade(2_500, 2.2)).toEqual({ side: 'buy', sideMethod: 'quote_rule' });
  });
});
