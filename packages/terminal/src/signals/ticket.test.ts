import { describe, expect, test } from 'bun:test';
import { checkTicket, readFraction, readSlippage, type Ticket } from './ticket.ts';

/** A ten-thousandth of the price is more than the spread here: the tolerance is 10 ticks, or 1 pip. */
const MARKET = { bid: 1.1, ask: 1.10003, digits: 5, pipSize: 0.0001, unit: 'pips' as const };
const BUY: Ticket = { direction: 'buy', entry: 1.10003, stop: 1.095, targets: [{ price: 1.11, fraction: 1 }] };
const at = (...prices: readonly number[]) => prices.map((price) => ({ price, fraction: 1 / prices.length }));
const SELL: Ticket = { direction: 'sell', entry: 1.1, stop: 1.105, targets: [{ price: 1.09, fraction: 1 }] };

describe('the order', () => {
  test('fills immediately near the market, at the entry side', () => {
    const buy = checkTicket(BUY, MARKET);
    expect([buy.order, buy.expected?.fill, buy.problems.size]).toEqual(['market', 1.10003, 0]);
    expect(checkTicket(SELL, MARKET)).toMatchObject({ order: 'market', expected: { fill: 1.1 } });
    expect(buy.tolerance).toBeCloseTo(1.1, 9);
  });

  test('is a market order at any price if it was chosen, and knows its worst fill', () => {
    for (const [ticket, fill, worst] of [
      [BUY, 1.10003, 1.10023],
      [SELL, 1.1, 1.0998],
    ] as const) {
      const order = { ...ticket, entry: null, isMarketOrder: true };
      expect(checkTicket(order, MARKET)).toMatchObject({ order: 'market', tolerance: null, worstFill: null });
      const limited = checkTicket({ ...order, maxSlippage: 0.0002 }, MARKET);
      expect([limited.problems.size, limited.expected?.fill, limited.expected?.from]).toEqual([0, fill, fill]);
      expect(limited.worstFill).toBeCloseTo(worst, 9);
      expect([...checkTicket({ ...order, maxSlippage: 0.000001 }, MARKET).problems.keys()]).toEqual(['max_slippage']);
      expect(checkTicket(order, null)).toMatchObject({ order: null, expected: null });
    }
    expect(['', '0', '0,0', '0.0003', 'x', '-1'].map(readSlippage)).toEqual([undefined, 0, 0, 0.0003, null, null]);
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

  test('has risk, reward and spread at the expected fill, not at the declared entry', () => {
    const wide = { bid: 1.084, ask: 1.0844, digits: 5, pipSize: 0.0001, unit: 'pips' as const };
    // One to one at the declared entry, but the ask is four pips above it.
    const buy: Ticket = {
      direction: 'buy',
      entry: 1.084,
      stop: 1.08307,
      targets: [{ price: 1.08493, fraction: 1 }],
    };
    const { order, expected } = checkTicket(buy, wide);
    expect(order).toBe('market');
    expect(expected!.toStop).toBeCloseTo(13.3, 6);
    expect(expected!.toTargets[0]).toBeCloseTo(5.3, 6);
    expect(expected!.rewardToRisk).toBeCloseTo(5.3 / 13.3, 9);
    expect(expected!.spread).toBeCloseTo(4, 6);
    // R is the published risk of 9.3 pips.
    expect(expected!.toStop * expected!.r).toBeCloseTo(13.3 / 9.3, 9);
    const sell: Ticket = {
      direction: 'sell',
      entry: 1.0844,
      stop: 1.08533,
      targets: [{ price: 1.08347, fraction: 1 }],
    };
    expect(checkTicket(sell, wide).expected!.rewardToRisk).toBeCloseTo(5.3 / 13.3, 9);
  });

  test('counts from the declared entry if that is worse than the fill', () => {
    const { expected } = checkTicket({ ...BUY, entry: 1.1001 }, MARKET);
    expect(expected).toMatchObject({ fill: 1.10003, from: 1.1001 });
    expect(expected!.toTargets[0]).toBeCloseTo(99, 6);
  });

  test('fills a limit or stop entry at its level', () => {
    const limit = checkTicket({ ...BUY, entry: 1.099, stop: 1.094, targets: at(1.109) }, MARKET);
    expect(limit).toMatchObject({ order: 'limit', expected: { fill: 1.099, from: 1.099 } });
    expect(limit.expected!.rewardToRisk).toBeCloseTo(2, 9);
    const stop = checkTicket({ ...SELL, entry: 1.098, stop: 1.103, targets: at(1.093) }, MARKET);
    expect(stop).toMatchObject({ order: 'stop', expected: { fill: 1.098 } });
    expect(stop.expected!.rewardToRisk).toBeCloseTo(1, 9);
  });

  test('expects a loss if the fill is beyond the target', () => {
    const wide = { bid: 1.084, ask: 1.0844, digits: 5, pipSize: 0.0001, unit: 'pips' as const };
    const ticket: Ticket = { direction: 'buy', entry: 1.084, stop: 1.083, targets: at(1.0844) };
    expect(checkTicket({ ...ticket, targets: at(1.0842) }, wide).expected!.rewardToRisk).toBeLessThan(0);
    expect(checkTicket(ticket, wide).expected!.rewardToRisk).toBeCloseTo(0, 9);
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
    expect(checkTicket(BUY, null)).toMatchObject({ order: null, expected: null, tolerance: null });
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
    // The fill is 0.3 pips above the declared entry.
    expect(check.expected!.toTargets.map((pips) => pips!.toFixed(1))).toEqual(['49.7', '99.7', '199.7']);
    // 0.5 × 49.7 + 0.3 × 99.7 + 0.2 × 199.7.
    expect(check.expected!.reward).toBeCloseTo(94.7, 6);
    expect(check.expected!.rewardToRisk).toBeCloseTo(94.7 / 50.3, 9);
  });

  test('must be in order, and their parts add up to 100 %', () => {
    const [first, second, third] = three.targets;
    expect([...checkTicket({ ...three, targets: [second!, first!, third!] }, MARKET).problems.keys()]).toEqual([
      'target_2',
    ]);
    const { problems } = checkTicket({ ...three, targets: [first!, second!, { ...third!, fraction: 0.1 }] }, MARKET);
    expect([...problems]).toEqual([
      ['fraction_3', 'Share at target 3 must be such that all parts add up to 100 %; they add up to 90 %.'],
    ]);
    const thirds = [0.3333, 0.3333, 0.3334].map((fraction, index) => ({ ...three.targets[index]!, fraction }));
    expect(checkTicket({ ...three, targets: thirds }, MARKET).problems.size).toBe(0);
  });

  test('reads parts in percent with up to two decimals', () => {
    expect(['50', '33,33', '0.01', '100'].map(readFraction)).toEqual([0.5, 0.3333, 0.0001, 1]);
    for (const text of ['', '0', '101', '33.333', 'half']) expect(readFraction(text)).toBeNull();
  });
});
