// Where the market stands between the levels of a signal. What runs is measured on the side of the quote where one would get
// out now: the bid for a buy, the ask for a sell. Distances are in pips and positive while there is still a way to go.
import type { ActiveSignal } from '@tickwire/client';

export type Levels = Pick<ActiveSignal, 'direction' | 'entry' | 'stop_loss' | 'take_profit'>;

export interface Market {
  readonly bid: number;
  readonly ask: number;
}

export const exitSide = ({ direction }: Levels, { bid, ask }: Market): number => (direction === 'buy' ? bid : ask);
export const entrySide = ({ direction }: Levels, { bid, ask }: Market): number => (direction === 'buy' ? ask : bid);

/** 0 at the stop and 1 at the target, whichever way it goes; what lies beyond stays at the end. */
export function placeOf({ stop_loss, take_profit }: Levels, price: number): number {
  const place = (price - stop_loss) / (take_profit - stop_loss);
  return Math.min(1, Math.max(0, place));
}

export interface Distances {
  readonly toStop: number;
  readonly toTarget: number;
}

export function distancesOf(levels: Levels, price: number, pipSize: number): Distances {
  const sign = levels.direction === 'buy' ? 1 : -1;
  return {
    toStop: (sign * (price - levels.stop_loss)) / pipSize,
    toTarget: (sign * (levels.take_profit - price)) / pipSize,
  };
}

/** Pips until a pending entry is met. */
export function toEntry(levels: Levels, market: Market, pipSize: number): number {
  return Math.abs(entrySide(levels, market) - levels.entry) / pipSize;
}

/** Counted as a closing counts: from the worse of the declared entry and the fill, in multiples of what was risked from there. */
export function runningR(levels: Levels, entryPrice: number, price: number): number | null {
  const buy = levels.direction === 'buy';
  const base = buy ? Math.max(levels.entry, entryPrice) : Math.min(levels.entry, entryPrice);
  const risk = Math.abs(base - levels.stop_loss);
  if (risk === 0) return null;
  return ((buy ? 1 : -1) * (price - base)) / risk;
}

/** What the target pays for each unit that the stop costs. */
export function rewardToRisk({ entry, stop_loss, take_profit }: Levels): number {
  return Math.abs(take_profit - entry) / Math.abs(entry - stop_loss);
}
