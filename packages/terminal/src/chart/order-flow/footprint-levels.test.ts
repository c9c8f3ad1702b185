import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cellInWords, cellText, groupLevels, levelsPerCell } from './footprint-levels.ts';

describe('cells are high enough to read', () => {
  test('of 1, 2, 5, 10, 20, … levels', () => {
    expect(levelsPerCell(20, 13)).toBe(1);
    expect(levelsPerCell(12, 13)).toBe(2);
    expect(levelsPerCell(3, 13)).toBe(5);
    expect(levelsPerCell(0.13, 13)).toBe(100);
    expect(levelsPerCell(0, 13)).toBe(1);
    expect(levelsPerCell(Number.NaN, 13)).toBe(1);
  });
});

test('adds up the levels of a cell, whose price is its lowest', () => {
  const levels = [
    { price: 1.0849, buy: 1, sell: 2 },
    { price: 1.085, buy: 3, sell: 4 },
    { price: 1.0851, buy: 5, sell: 6 },
  ];
  const { step, cells, poc, most } = groupLevels(levels, 0.0001, 2);
  expect(step).toBeCloseTo(0.0002, 10);
  expect(cells.map(({ price, buy, sell }) => [Number(price.toFixed(4)), buy, sell])).toEqual([
    [1.0848, 1, 2],
    [1.085, 8, 10],
  ]);
  expect([poc, most]).toEqual([cells[1]!, 18]);
});

test('no volume is lost or moved between the sides, however levels are grouped', () => {
  const level = fc.record({ at: fc.integer({ min: 1, max: 500 }), buy: fc.nat(1_000), sell: fc.nat(1_000) });
  const bars = fc.uniqueArray(level, { selector: ({ at }) => at, maxLength: 60 });
  fc.assert(
    fc.property(bars, fc.constantFrom(1, 2, 5, 10, 50), (bar, count) => {
      const levels = bar.map(({ at, ...rest }) => ({ price: at * 0.25, ...rest }));
      const { cells, poc, most } = groupLevels(levels, 0.25, count);
      for (const side of ['buy', 'sell'] as const)
        expect(cells.reduce((sum, cell) => sum + cell[side], 0)).toBe(
          levels.reduce((sum, each) => sum + each[side], 0),
        );
      expect(cells.map(({ price }) => price)).toEqual(cells.map(({ price }) => price).toSorted((a, b) => a - b));
      if (poc) for (const cell of cells) expect(cell.buy + cell.sell).toBeLessThanOrEqual(most);
    }),
  );
});

describe('an imbalance', () => {
  const imbalances = (...levels: readonly (readonly [number, number])[]) =>
    groupLevels(
      levels.map(([sell, buy], at) => ({ price: at + 1, buy, sell })),
      1,
      1,
    ).cells.map(({ imbalance }) => imbalance);

  test('compares buyers with those who sold one level below, and sellers with those who bought one above', () => {
    expect(imbalances([10, 0], [8, 30], [9, 8])).toEqual([null, 'buy', null]);
    expect(imbalances([0, 9], [30, 9], [9, 10])).toEqual([null, 'sell', null]);
  });

  test('is not found at the ends, where there is nothing to compare with, nor among small sizes', () => {
    expect(imbalances([5, 50])).toEqual([null]);
    expect(imbalances([0, 50], [50, 0])).toEqual([null, null]);
    expect(imbalances([0, 0.1], [0, 1], [100, 100]).slice(0, 2)).toEqual([null, null]);
  });

  test('is explained in words', () => {
    const [, cell] = groupLevels(
      [
        { price: 1, buy: 0, sell: 10 },
        { price: 2, buy: 30, sell: 5 },
      ],
      1,
      1,
    ).cells;
    expect(cellInWords(cell!, '2.0')).toBe(
      '2.0: 5.0 sold × 30.0 bought. Imbalance: buyers traded at least 3 times as much as sellers one level below.',
    );
  });
});

test('sizes are short', () => {
  expect([0, 0.0012, 0.123, 1.25, 45.6, 123.4, 12_345].map(cellText)).toEqual([
    '0',
    '0.0010',
    '0.12',
    '1.3',
    '46',
    '123',
    '12.3k',
  ]);
});

test('a bar without trades has no cells', () => {
  expect(groupLevels([], 0.5, 2)).toEqual({ step: 1, cells: [], poc: null, most: 0 });
});
