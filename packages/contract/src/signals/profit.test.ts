import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  meanExitPrice,
  NO_PROFIT,
  type ProfitInput,
  profitInR,
  profitOf,
  rankingR,
  roundedRatio,
  WHOLE,
} from './profit.ts';

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/**
 * Whether `result` is the four-decimal value nearest to numerator / denominator, or the one further from zero in a tie.
 * Checks the definition of rounding with exact fractions instead of rounding.
 */
function isNearest(result: number, numerator: bigint, denominator: bigint): boolean {
  const [whole = '', decimals = ''] = Math.abs(result).toFixed(4).split('.');
  const scaled = BigInt(whole + decimals) * (result < 0 ? -1n : 1n);
  if (Number(scaled) / 1e4 !== result) return false;
  // Twice the distance to the exact quotient, in units of 1e-4 and times the denominator.
  const off = 2n * magnitude(10_000n * numerator - scaled * denominator);
  const limit = magnitude(denominator);
  const awayFromZero = magnitude(scaled) * limit > 10_000n * magnitude(numerator);
  return off < limit || (off === limit && awayFromZero);
}

const nonZero = (arbitrary: fc.Arbitrary<bigint>) => arbitrary.filter((value) => value !== 0n);
const integer = (digits: number) => fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) });

describe('a rounded ratio', () => {
  test.each([
    [1n, 20_000n, 0.0001],
    [-1n, 20_000n, -0.0001],
    [1n, -20_000n, -0.0001],
    [-1n, -20_000n, 0.0001],
    [3n, 20_000n, 0.0002],
    [-3n, 20_000n, -0.0002],
    [49_999n, 1_000_000_000n, 0],
    [1n, 3n, 0.3333],
    [2n, 3n, 0.6667],
    [-2n, 3n, -0.6667],
    [5n, 1n, 5],
  ])('of %s / %s is %s: halves are rounded away from zero', (numerator, denominator, expected) => {
    expect(roundedRatio(numerator, denominator)).toBe(expected);
  });

  test('is never negative zero', () => {
    for (const [n, d] of [
      [0n, -7n],
      [-1n, 1_000_000n],
      [1n, -1_000_000n],
    ] as const)
      expect(Object.is(roundedRatio(n, d), 0)).toBe(true);
  });

  test('rejects a denominator of zero', () => {
    expect(() => roundedRatio(1n, 0n)).toThrow(RangeError);
  });

  test('is the nearest four-decimal value to the exact quotient', () => {
    fc.assert(
      fc.property(integer(12), nonZero(integer(9)), (numerator, denominator) => {
        // A larger double cannot have four decimals.
        fc.pre(magnitude(numerator / denominator) < 10n ** 11n);
        expect(isNearest(roundedRatio(numerator, denominator), numerator, denominator)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is exact at halves, where a division of doubles would fail', () => {
    fc.assert(
      fc.property(integer(9), fc.bigInt({ min: 1n, max: 10n ** 6n }), (half, scale) => {
        const [numerator, denominator] = [(2n * half + 1n) * scale, 20_000n * scale];
        const result = roundedRatio(numerator, denominator);
        expect(isNearest(result, numerator, denominator)).toBe(true);
        expect(result).toBe(Number(half >= 0n ? half + 1n : half) / 1e4);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('profit and loss', () => {
  /** The whole position exits at one price. */
  const at = (price: number) => [{ fraction: WHOLE, price }];
  const euro: ProfitInput = {
    direction: 'buy',
    entry: 108_400,
    entryPrice: 108_403,
    stopLoss: 108_100,
    exits: at(109_000),
    digits: 5,
    pipSize: 0.0001,
  };

  test('are measured from the fill if it was worse than the declared entry', () => {
    expect(profitOf(euro)).toEqual({ pnl: 59.7, pnl_percent: 0.5507, pnl_r: 1.99 });
    const sell = { ...euro, direction: 'sell' as const, entryPrice: 108_397, stopLoss: 108_700, exits: at(107_800) };
    expect(profitOf(sell)).toEqual({ pnl: 59.7, pnl_percent: 0.5508, pnl_r: 1.99 });
  });

  test('of several exits are the weighted sums', () => {
    const exits = [
      { fraction: 5_000, price: 108_703 },
      { fraction: 2_500, price: 109_003 },
      { fraction: 2_500, price: 108_403 },
    ];
    expect(profitOf({ ...euro, exits })).toEqual({ pnl: 30, pnl_percent: 0.2767, pnl_r: 1 });
    expect(meanExitPrice(exits, 5)).toBe(1.08703);
    expect(
      meanExitPrice(
        [
          { fraction: 3_333, price: 108_700 },
          { fraction: 6_667, price: 108_401 },
        ],
        5,
      ),
    ).toBe(1.085006567);
    expect(meanExitPrice(at(7), 5)).toBe(0.00007);
  });

  test('for ranking are divided by at least ten spreads', () => {
    expect(rankingR(euro, 12)).toBe(1.99);
    expect(rankingR(euro, 60)).toBe(0.995);
  });

  test('are measured from the declared entry if the fill was better', () => {
    expect(profitOf({ ...euro, entryPrice: 108_390 })).toEqual(profitOf({ ...euro, entryPrice: 108_400 }));
    const sell = { ...euro, direction: 'sell' as const, stopLoss: 108_700 };
    expect(profitOf({ ...sell, entryPrice: 108_410 })).toEqual(profitOf({ ...sell, entryPrice: 108_400 }));
  });

  test.each([
    { digits: 5, pipSize: 0.0001, gained: 35, pips: 3.5 },
    { digits: 3, pipSize: 0.01, gained: 25, pips: 2.5 },
    { digits: 2, pipSize: 1, gained: 12_345, pips: 123.45 },
    { digits: 2, pipSize: 0.25, gained: 10, pips: 0.4 },
    { digits: 3, pipSize: 0.1, gained: 12_000, pips: 120 },
    { digits: 8, pipSize: 0.00000001, gained: 7, pips: 7 },
    // Its double times 1e12 is a hair below 30000.
    { digits: 8, pipSize: 0.00000003, gained: 9, pips: 3 },
    { digits: 0, pipSize: 1, gained: 3, pips: 3 },
  ])(
    'are $pips pips for $gained ticks with a pip of $pipSize and $digits digits',
    ({ digits, pipSize, gained, pips }) => {
      const prices = { entry: 5_000_000, entryPrice: 5_000_000, stopLoss: 4_900_000, exits: at(5_000_000 + gained) };
      expect(profitOf({ direction: 'buy', ...prices, digits, pipSize }).pnl).toBe(pips);
    },
  );

  test('are exact for a price of 15 digits', () => {
    const entry = 900_000_000_000_000;
    const large = {
      ...euro,
      entry,
      entryPrice: entry,
      stopLoss: entry - 3,
      exits: at(entry + 1),
      digits: 2,
      pipSize: 1,
    };
    expect(profitOf(large)).toEqual({ pnl: 0.01, pnl_percent: 0, pnl_r: 0.3333 });
  });

  test('reject a price that is not in whole ticks', () => {
    expect(() => profitOf({ ...euro, exits: at(109_000.5) })).toThrow(RangeError);
  });

  test('are plain zero at the entry price', () => {
    expect(profitOf({ ...euro, exits: at(euro.entryPrice) })).toEqual(NO_PROFIT);
    const sold = profitOf({ ...euro, direction: 'sell', exits: at(euro.entry), stopLoss: 108_700 });
    for (const figure of Object.values(sold)) expect(Object.is(figure, 0)).toBe(true);
  });

  const price = fc.integer({ min: 1_000, max: 2_000_000_000 });
  const instrument = fc.constantFrom(
    { digits: 5, pipSize: 0.0001 },
    { digits: 3, pipSize: 0.01 },
    { digits: 2, pipSize: 1 },
    { digits: 2, pipSize: 0.25 },
    { digits: 8, pipSize: 0.000001 },
  );
  /** A buy with the stop below and the fill at or above the entry. */
  const bought = fc
    .record({ entry: price, slip: fc.nat(500), risk: fc.integer({ min: 1, max: 900 }), exitPrice: price, instrument })
    .map(({ entry, slip, risk, exitPrice, instrument: { digits, pipSize } }) => {
      const entryPrice = entry + slip;
      const exits = at(exitPrice);
      const stopLoss = entry - risk;
      return { direction: 'buy', entry, entryPrice, stopLoss, exits, digits, pipSize } as const;
    });

  test('agree with exact fractions', () => {
    // 0.25 is 25 / 100: the written decimal, not the double.
    const fractionOf = (decimal: number): [bigint, bigint] => [BigInt(Math.round(decimal * 1e8)), 10n ** 8n];
    fc.assert(
      fc.property(bought, (trade) => {
        const { pnl, pnl_percent, pnl_r } = profitOf(trade);
        const gain = BigInt(trade.exits[0]!.price - trade.entryPrice);
        const [above, below] = fractionOf(trade.pipSize);
        expect(isNearest(pnl, gain * below, above * 10n ** BigInt(trade.digits))).toBe(true);
        expect(isNearest(pnl_percent, 100n * gain, BigInt(trade.entryPrice))).toBe(true);
        expect(isNearest(pnl_r, gain, BigInt(trade.entry - trade.stopLoss))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a buy are the exact negative of a sell at the same prices', () => {
    fc.assert(
      fc.property(bought, (trade) => {
        const entry = trade.entryPrice;
        const buy = profitOf({ ...trade, entry });
        const sell = profitOf({ ...trade, entry, direction: 'sell', stopLoss: 2 * entry - trade.stopLoss });
        // 0 − x instead of −x, because −0 is not 0.
        expect(sell).toEqual({ pnl: 0 - buy.pnl, pnl_percent: 0 - buy.pnl_percent, pnl_r: 0 - buy.pnl_r });
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a mirrored sell have the same pips and R', () => {
    const mirror = 5_000_000_000;
    fc.assert(
      fc.property(bought, (trade) => {
        const { pnl, pnl_r } = profitOf(trade);
        const mirrored = profitOf({
          ...trade,
          direction: 'sell',
          entry: mirror - trade.entry,
          entryPrice: mirror - trade.entryPrice,
          stopLoss: mirror - trade.stopLoss,
          exits: at(mirror - trade.exits[0]!.price),
        });
        expect({ pnl: mirrored.pnl, pnl_r: mirrored.pnl_r }).toEqual({ pnl, pnl_r });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('profit of prices of any size', () => {
  const input = (size: number): fc.Arbitrary<ProfitInput> => {
    const price = fc.integer({ min: 1, max: size });
    return fc.record({
      direction: fc.constantFrom('buy' as const, 'sell' as const),
      entry: price,
      entryPrice: price,
      stopLoss: price,
      exits: fc.tuple(price, price, fc.integer({ min: 0, max: WHOLE })).map(([first, second, fraction]) => [
        { fraction, price: first },
        { fraction: WHOLE - fraction, price: second },
      ]),
      digits: fc.integer({ min: 0, max: 8 }),
      pipSize: fc.constantFrom(1, 0.25, 0.1, 0.01, 0.0001, 0.00005),
    });
  };

  test.each([1e3, 1e6, 1e9, 1e12, 1e15])('is exact up to %d ticks', (size) => {
    fc.assert(
      fc.property(input(size), fc.integer({ min: 0, max: 1_000 }), (signal, spread) => {
        const { direction, entry, entryPrice, stopLoss, exits, digits, pipSize } = signal;
        const base = BigInt(direction === 'buy' ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice));
        const risk = magnitude(BigInt(entry) - BigInt(stopLoss));
        fc.pre(risk > 0n);
        const moved = exits.reduce((sum, { fraction, price }) => sum + BigInt(fraction) * (BigInt(price) - base), 0n);
        const gain = direction === 'buy' ? moved : -moved;
        const pip = BigInt(Math.round(pipSize * 1e12));
        const whole = BigInt(WHOLE);
        const expected = {
          pnl: roundedRatio(gain * 10n ** BigInt(12 - digits), pip * whole),
          pnl_percent: roundedRatio(100n * gain, base * whole),
          pnl_r: roundedRatio(gain, risk * whole),
        };
        expect(profitOf(signal)).toEqual(expected);
        expect(profitInR(signal)).toBe(expected.pnl_r);
        const least = Math.max(Math.abs(entry - stopLoss), 10 * spread);
        if (least > 0) expect(rankingR(signal, spread)).toBe(roundedRatio(gain, BigInt(least) * whole));
      }),
      { numRuns: 2_000 },
    );
  });
});
