// The price levels of a bar, grouped into cells that are high enough to read, with its point of control and imbalances.
import type { FootprintBar } from '@tickwire/client';
import { setNumber, volume } from '../../ui/format.ts';

export type Levels = FootprintBar['levels'];

export interface Cell {
  /** Lowest price. */
  readonly price: number;
  readonly buy: number;
  readonly sell: number;
  readonly buyText: string;
  readonly sellText: string;
  /** The side that outweighs the other one diagonally: buyers those who sold one cell below, sellers those who bought one above. */
  readonly imbalance: 'buy' | 'sell' | null;
}

export interface CellGroup {
  /** Height of a cell in price units. */
  readonly step: number;
  /** Cells with trades, ascending. */
  readonly cells: readonly Cell[];
  /** The cell with the most volume; of several, the lowest. `null` without trades. */
  readonly poc: Cell | null;
  /** Volume of that cell. */
  readonly most: number;
}

/** At least this many times the volume of the other side. */
export const IMBALANCE_RATIO = 3;
const FACTORS = [1, 2, 5];

/** How many levels make one cell, so that it is at least as high as wanted: 1, 2, 5, 10, 20, … */
export function levelsPerCell(levelPixels: number, minPixels: number): number {
  if (!(levelPixels > 0)) return 1;
  for (let power = 1; power < 1e9; power *= 10)
    for (const factor of FACTORS) if (factor * power * levelPixels >= minPixels) return factor * power;
  return 1e9;
}

/** `level`: height of a level; `count`: levels per cell. */
export function groupLevels(levels: Levels, level: number, count: number): CellGroup {
  const step = level * count;
  const sums = new Map<number, { buy: number; sell: number }>();
  for (const { price, buy, sell } of levels) {
    // Prices are multiples of the level, apart from rounding.
    const at = Math.floor(Math.round(price / level) / count);
    const sum = sums.get(at);
    if (sum) {
      sum.buy += buy;
      sum.sell += sell;
    } else sums.set(at, { buy, sell });
  }
  const order = [...sums.keys()].sort((one, other) => one - other);
  const total = levels.reduce((sum, { buy, sell }) => sum + buy + sell, 0);
  // Below the average, a large ratio is chance.
  const least = total / (2 * order.length);
  const [lowest = 0, highest = 0] = [order[0], order.at(-1)];
  const outweighs = (one: number, other: number): boolean => one > 0 && one >= least && one >= IMBALANCE_RATIO * other;
  const cells = order.map((at): Cell => {
    const { buy, sell } = sums.get(at)!;
    const bought = at > lowest && outweighs(buy, sums.get(at - 1)?.sell ?? 0);
    const sold = at < highest && outweighs(sell, sums.get(at + 1)?.buy ?? 0);
    const imbalance = bought && (!sold || buy >= sell) ? 'buy' : sold ? 'sell' : null;
    return { price: at * step, buy, sell, buyText: cellText(buy), sellText: cellText(sell), imbalance };
  });
  let poc: Cell | null = null;
  for (const cell of cells) if (!poc || cell.buy + cell.sell > poc.buy + poc.sell) poc = cell;
  return { step, cells, poc, most: poc ? poc.buy + poc.sell : 0 };
}

/** Sizes as short as possible: a cell has room for five characters. */
export function cellText(size: number): string {
  if (size === 0) return '0';
  if (size >= 100) return volume(size);
  if (size >= 10) return setNumber(size.toFixed(0));
  if (size >= 1) return setNumber(size.toFixed(1));
  return setNumber(size >= 0.01 ? size.toFixed(2) : Number(size.toPrecision(1)).toFixed(4));
}

/** What a cell means, in words. */
export function cellInWords({ buy, sell, imbalance }: Cell, at: string): string {
  const traded = `${at}: ${volume(sell)} sold × ${volume(buy)} bought.`;
  if (imbalance === 'buy')
    return `${traded} Imbalance: buyers traded at least ${IMBALANCE_RATIO} times as much as sellers one level below.`;
  if (imbalance === 'sell')
    return `${traded} Imbalance: sellers traded at least ${IMBALANCE_RATIO} times as much as buyers one level above.`;
  return traded;
}
