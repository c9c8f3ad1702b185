import { describe, expect, test } from 'bun:test';
import { checkTicket, parsePrice, type Ticket } from './ticket.ts';

/** A ten-thousandth of the price is more than the spread here: the tolerance is 10 ticks, or 1 pip. */
const MARKET = { bid: 1.1, ask: 1.10003, digits: 5, pipSize: 0.0001 };
const BUY: Ticket = { direction: 'buy', entry: 1.10003, stop: 1.095, target: 1.11 };
const SELL: Ticket = { direction: 'sell', entry: 1.1, stop: 1.105, target: 1.09 };

test('reads prices with a point or a comma', () => {
  expect([parsePrice('1.1'), parsePrice('1,1'), parsePrice(' 61 000 ')]).toEqual([1.1, 1.1, 61_000]);
  for (const text of ['', 'abc', '-1', '0', '1.2.3', '1e5']) expect(parsePrice(text)).toBeNull();
});

describe('the order', () => {
  test('fills immediately near the market, at the entry side', () => {
    const buy = checkTicket(BUY, MARKET);
    expect([buy.order, buy.fillsAt, buy.problems.size]).toEqual(['market', 1.10003, 0]);
    expect(checkTicket(SELL, MARKET)).toMatchObject({ order: 'market', fillsAt: 1.1 });
    expect(buy.tolerancePips).toBeCloseTo(1.1, 9);
  });

  test('fills at the tolerance, and is pending one tick beyond it', () => {
    const order = (entry: number) => checkTicket({ ...BUY, entry }, MARKET).order;
    expect([order(1.09992), order(1.09991), order(1.10014), order(1.10015)]).toEqual([
      'market',
      'limit',
      'market',
      'stop',
    ]);
    expect(checkTicket({ ...SELL, entry: 1.102 }, MARKET).order).toBe('limit');
    expect(checkTicket({ ...SELL, entry: 1.098 }, MARKET).order).toBe('stop');
  });

  test('has risk and reward in pips, and their ratio', () => {
    const check = checkTicket({ ...BUY, entry: 1.1, stop: 1.095, target: 1.11 }, MARKET);
    expect(check.stopPips).toBeCloseTo(50, 6);
    expect(check.targetPips).toBeCloseTo(100, 6);
    expect(check.rewardToRisk).toBeCloseTo(2, 9);
  });
});

describe('problems', () => {
  const problems = (ticket: Ticket): string[] => [...checkTicket(ticket, MARKET).problems.keys()];

  test('reports levels on the wrong side', () => {
    expect(problems({ ...BUY, stop: 1.11, target: 1.09 })).toEqual(['stop_loss', 'take_profit']);
    expect(problems({ ...SELL, direction: 'sell', stop: 1.09 })).toEqual(['stop_loss']);
    expect(checkTicket({ ...BUY, stop: 1.11 }, null).problems.get('stop_loss')).toBe(
      'Stop must be below entry for a buy.',
    );
  });

  test('reports an entry far from the market, a stop within the spread, a distant target', () => {
    expect(problems({ ...BUY, entry: 2, stop: 1.9, target: 2.1 })).toContain('entry');
    expect(problems({ ...BUY, stop: 1.10002 })).toEqual(['stop_loss']);
    expect(problems({ ...BUY, target: 2 })).toEqual(['take_profit']);
  });

  test('reports a level that the market has reached, and a price with too many decimals', () => {
    expect(problems({ ...BUY, entry: 1.1001, stop: 1.10005 })).toEqual(['stop_loss']);
    expect(problems({ ...BUY, target: 1.110001 })).toEqual(['take_profit']);
  });

  test('reports nothing while the ticket is empty or there is no market', () => {
    expect(problems({ direction: 'buy', entry: null, stop: null, target: null })).toEqual([]);
    expect(checkTicket(BUY, null)).toMatchObject({ order: null, stopPips: null, tolerancePips: null });
  });
});
