import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../testing/random.ts';
import { VolumeByPrice } from './volume-profile.ts';

const byPrice = (size: number, ...trades: [ticks: number, size: number, side: 'buy' | 'sell'][]): VolumeByPrice => {
  const volume = new VolumeByPrice(size);
  for (const trade of trades) volume.trade(...trade);
  return volume;
};

test('levels hold what was bought and sold from their lowest price on', () => {
  const { levels } = byPrice(10, [99, 1, 'buy'], [100, 2, 'buy'], [109, 3, 'sell'], [110, 4, 'sell']).profile()!;
  expect(levels).toEqual([
    { ticks: 90, buy: 1, sell: 0 },
    { ticks: 100, buy: 2, sell: 3 },
    { ticks: 110, buy: 0, sell: 4 },
  ]);
});

test('negative prices belong to the level below', () => {
  expect(byPrice(10, [-1, 1, 'buy']).levels()).toEqual([{ ticks: -10, buy: 1, sell: 0 }]);
});

test('without a trade there is no profile', () => expect(byPrice(1).profile()).toBeNull());

describe('point of control', () => {
  test('is the level with the most volume', () => {
    expect(byPrice(1, [1, 5, 'buy'], [2, 3, 'buy'], [2, 3, 'sell'], [3, 5, 'sell']).profile()!.pointOfControl).toBe(2);
  });

  test('is the one nearest to the middle if several have the same volume, then the lower one', () => {
    expect(byPrice(1, [1, 5, 'buy'], [4, 5, 'buy'], [9, 1, 'buy']).profile()!.pointOfControl).toBe(4);
    expect(byPrice(1, [1, 5, 'buy'], [3, 5, 'buy']).profile()!.pointOfControl).toBe(1);
  });
});

describe('value area', () => {
  test('grows by the neighbour with more volume until it holds 70 %', () => {
    const profile = byPrice(
      1,
      [1, 10, 'buy'],
      [2, 20, 'buy'],
      [3, 40, 'sell'],
      [4, 15, 'buy'],
      [5, 15, 'sell'],
    ).profile()!;
    // 40, 60 with level 2, 75 with level 4.
    expect(profile.valueArea).toEqual({ low: 2, high: 4 });
  });

  test('takes both of two equal levels', () => {
    expect(byPrice(1, [1, 1, 'buy'], [2, 1, 'buy']).profile()!.valueArea).toEqual({ low: 1, high: 2 });
  });
});

test('sums over levels are exact, whatever the sizes and the level size', () => {
  const random = seededRandom(3);
  const trades = Array.from(
    { length: 20_000 },
    () =>
      [Math.floor(random() * 500), Math.round(random() * 1e8) / 1e8, random() < 0.5 ? 'buy' : 'sell'] as [
        number,
        number,
        'buy' | 'sell',
      ],
  );
  const units = (value: number): bigint => BigInt(Math.round(value * 1e8));
  const total = (side: string): bigint =>
    trades.reduce((sum, [, size, of]) => (of === side ? sum + units(size) : sum), 0n);
  const [bought, sold] = [total('buy'), total('sell')];
  for (const size of [1, 5, 25]) {
    const profile = byPrice(size, ...trades).profile()!;
    expect(units(profile.volume)).toBe(bought + sold);
    expect(units(profile.delta)).toBe(bought - sold);
    expect(profile.levels.reduce((sum, { buy }) => sum + units(buy), 0n)).toBe(bought);
    expect(profile.levels.reduce((sum, { sell }) => sum + units(sell), 0n)).toBe(sold);
  }
});

test('levels of small profiles add up to those of a larger level size', () => {
  const fine = byPrice(5, [3, 1, 'buy'], [7, 2, 'sell'], [12, 3, 'buy']);
  const coarse = new VolumeByPrice(10);
  for (const level of fine.levels()) coarse.add(level);
  expect(coarse.levels()).toEqual(byPrice(10, [3, 1, 'buy'], [7, 2, 'sell'], [12, 3, 'buy']).levels());
});
