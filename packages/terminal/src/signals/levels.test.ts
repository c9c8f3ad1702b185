import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { distancesOf, entrySide, exitSide, expectedRatio, type Levels, placeOf, runningR, toEntry } from './levels.ts';

const BUY: Levels = { direction: 'buy', entry: 1.1, stop_loss: 1.095, take_profit: 1.11 };
const SELL: Levels = { direction: 'sell', entry: 1.1, stop_loss: 1.105, take_profit: 1.09 };
const MARKET = { bid: 1.1, ask: 1.1002 };

describe('the position of the price', () => {
  test('a buy enters at the ask and exits at the bid, a sell the other way round', () => {
    expect([entrySide(BUY, MARKET), exitSide(BUY, MARKET)]).toEqual([1.1002, 1.1]);
    expect([entrySide(SELL, MARKET), exitSide(SELL, MARKET)]).toEqual([1.1, 1.1002]);
  });

  test('is 0 at the stop and 1 at the target, in both directions', () => {
    for (const levels of [BUY, SELL]) {
      expect(placeOf(levels, levels.stop_loss)).toBe(0);
      expect(placeOf(levels, levels.take_profit)).toBe(1);
      expect(placeOf(levels, levels.entry)).toBeCloseTo(1 / 3, 10);
    }
  });

  test('stays at the end of the bar beyond a level', () => {
    expect(placeOf(BUY, 1)).toBe(0);
    expect(placeOf(BUY, 2)).toBe(1);
    expect(placeOf(SELL, 2)).toBe(0);
  });
});

describe('distances and R', () => {
  test('are positive before a level is reached, and negative beyond', () => {
    const { toStop, toTarget } = distancesOf(BUY, 1.102, 0.0001);
    expect(toStop).toBeCloseTo(70, 6);
    expect(toTarget).toBeCloseTo(80, 6);
    expect(distancesOf(SELL, 1.106, 0.0001).toStop).toBeCloseTo(-10, 6);
    expect(toEntry(BUY, { bid: 1.1029, ask: 1.103 }, 0.0001)).toBeCloseTo(30, 6);
  });

  test('R is −1 at the stop and the reward at the target', () => {
    for (const levels of [BUY, SELL]) {
      expect(runningR(levels, levels.entry, levels.stop_loss)).toBeCloseTo(-1, 9);
      expect(runningR(levels, levels.entry, levels.take_profit)).toBeCloseTo(2, 9);
    }
  });

  test('R is measured from the worse of the declared entry and the fill', () => {
    expect(runningR(BUY, 1.099, 1.1)).toBeCloseTo(0, 9);
    expect(runningR(BUY, 1.101, 1.1)).toBeCloseTo(-1 / 5, 9);
    expect(runningR(SELL, 1.101, 1.1)).toBeCloseTo(0, 9);
  });

  test('the reward of several targets is weighted by their parts', () => {
    const targets = [
      { price: 1.105, fraction: 0.5 },
      { price: 1.11, fraction: 0.5 },
    ];
    expect(expectedRatio({ ...BUY, targets, entry_price: null })).toBeCloseTo(1.5, 9);
  });

  test('the ratio counts from the fill if that is worse than the declared entry', () => {
    const whole = (price: number) => [{ price, fraction: 1 }];
    expect(expectedRatio({ ...BUY, targets: whole(1.11), entry_price: 1.105 })).toBeCloseTo(0.5, 9);
    expect(expectedRatio({ ...BUY, targets: whole(1.11), entry_price: 1.099 })).toBeCloseTo(2, 9);
    expect(expectedRatio({ ...SELL, targets: whole(1.09), entry_price: 1.095 })).toBeCloseTo(0.5, 9);
  });

  test('parts that have exited keep their result', () => {
    const half = [{ price: 1.105, fraction: 0.5 }];
    expect(runningR(BUY, 1.1, 1.1, half)).toBeCloseTo(0.5, 9);
    expect(runningR(BUY, 1.1, 1.11, half)).toBeCloseTo(1.5, 9);
    expect(runningR(SELL, 1.1, 1.105, [{ price: 1.095, fraction: 0.5 }])).toBeCloseTo(0, 9);
  });

  test('a mirrored signal has the opposite R', () => {
    const price = fc.integer({ min: 900, max: 1_100 });
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 50 }), (at, risk) => {
        const buy: Levels = { direction: 'buy', entry: 1_000, stop_loss: 1_000 - risk, take_profit: 1_100 };
        const sell: Levels = { direction: 'sell', entry: 1_000, stop_loss: 1_000 + risk, take_profit: 900 };
        expect(runningR(buy, 1_000, at)).toBeCloseTo(-(runningR(sell, 1_000, at) ?? Number.NaN), 9);
      }),
    );
  });
});
