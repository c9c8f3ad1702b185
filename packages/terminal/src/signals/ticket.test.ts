import { describe, expect, test } from 'bun:test';
import { checkTicket, parseFraction, parsePrice, type Ticket } from './ticket.ts';

/** A ten-thousandth of the price is more than the spread here: the tolerance is 10 ticks, or 1 pip. */
const MARKET = { bid: 1.1, ask: 1.10003, digits: 5, pipSize: 0.0001 };
const BUY: Ticket = { direction: 'buy', entry: 1.10003, stop: 1.095, targets: [{ price: 1.11, fraction: 1 }] };
const at = (...prices: readonly number[]) => prices.map((price) => ({ price, fraction: 1 / prices.length }));
const SELL: Ticket = { direction: 'sell', entry: 1.1, stop: 1.105, targets: [{ price: 1.09, fraction: 1 }] };

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
    const check = checkTicket({ ...BUY, entry: 1.1, stop: 1.095 }, MARKET);
    expect(check.stopPips).toBeCloseTo(50, 6);
    expect(check.targetPips[0]).toBeCloseTo(100, 6);
    expect(check.rewardToRisk).toBeCloseTo(2, 9);
  });
});

describe('problems', () => {
  const problems = (ticket: Ticket): string[] => [...checkTicket(ticket, MARKET).problems.keys()];

  test('reports levels on the wrong side', () => {
    expect(problems({ ...BUY, stop: 1.11, targets: at(1.09) })).toEqual(['stop_loss', 'target_1']);
    expect(problems({ ...SELL, direction: 'sell', stop: 1.09 })).toEqual(['stop_loss']);
    expect(checkTicket({ ...BUY, stop: 1.11 }, null).problems.get('stop_loss')).toBe(
      'Stop must be below entry for a buy.',
    );
  });

  test('reports an entry far from the market, a stop within the spread, a distant target', () => {
    expect(problems({ ...BUY, entry: 2, stop: 1.9, targets: at(2.1) })).toContain('entry');
    expect(problems({ ...BUY, stop: 1.10002 })).toEqual(['stop_loss']);
    expect(problems({ ...BUY, targets: at(2) })).toEqual(['target_1']);
  });

  test('reports a level that the market has reached, and a price with too many decimals', () => {
    expect(problems({ ...BUY, entry: 1.1001, stop: 1.10005 })).toEqual(['stop_loss']);
    expect(problems({ ...BUY, targets: at(1.110001) })).toEqual(['target_1']);
  });

  test('reports nothing while the ticket is empty or there is no market', () => {
    expect(problems({ direction: 'buy', entry: null, stop: null, targets: [{ price: null, fraction: 1 }] })).toEqual(
      [],
    );
    expect(checkTicket(BUY, null)).toMatchObject({ order: null, stopPips: null, tolerancePips: null });
  });
});

describe('several targets', () => {
  const three: Ticket = {
    ...BUY,
    entry: 1.1,
    targets: [
      { price: 1.105, fraction: 0.5 },
      { price: 1.11, fraction: 0.3 },
      { price: 1.12, fraction: 0.2 },
    ],
  };

  test('are valued by the part that exits at each', () => {
    const check = checkTicket(three, MARKET);
    expect(check.problems.size).toBe(0);
    expect(check.targetPips.map((pips) => Math.round(pips!))).toEqual([50, 100, 200]);
    // 0.5 × 1 + 0.3 × 2 + 0.2 × 4.
    expect(check.rewardToRisk).toBeCloseTo(1.9, 9);
  });

  test('must be in order, and their parts add up to 100 %', () => {
    const [first, second, third] = three.targets;
    expect([...checkTicket({ ...three, targets: [second!, first!, third!] }, MARKET).problems.keys()]).toEqual([
      'target_2',
    ]);
    const { problems } = checkTicket({ ...three, targets: [first!, second!, { ...third!, fraction: 0.1 }] }, MARKET);
    expect([...problems]).toEqual([
      ['fraction_3', 'Part at target 3 must be such that all parts add up to 100 %; they add up to 90 %.'],
    ]);
    const thirds = [0.3333, 0.3333, 0.3334].map((fraction, index) => ({ ...three.targets[index]!, fraction }));
    expect(checkTicket({ ...three, targets: thirds }, MARKET).problems.size).toBe(0);
  });

  test('reads parts in percent with up to two decimals', () => {
    expect(['50', '33,33', '0.01', '100'].map(parseFraction)).toEqual([0.5, 0.3333, 0.0001, 1]);
    for (const text of ['', '0', '101', '33.333', 'half']) expect(parseFraction(text)).toBeNull();
  });
});
