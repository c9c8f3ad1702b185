// From an entry and two distances to the levels of a signal: in order, on whole ticks and not within the spread's reach.
import { type MarketInTicks, priceOf } from './market-in-ticks.ts';
import type { Idea } from './strategy.ts';

/** A stop or a target nearer than this would be decided by the spread, not by the market. */
const NEAREST_SPREADS = 3;
/** The service's own bound: half of the entry. */
const FARTHEST_DIVISOR = 2;

export type Direction = Idea['direction'];

/** 1 for a buy, −1 for a sell: multiplied by it, one rule serves both. */
export const signOf = (direction: Direction): 1 | -1 => (direction === 'buy' ? 1 : -1);

/** Where one gets in now. */
export const entrySide = (market: MarketInTicks, direction: Direction): number =>
  direction === 'buy' ? market.ask : market.bid;

export const nearestLevel = ({ spread }: MarketInTicks): number => NEAREST_SPREADS * spread;

/**
 * How far from the market an entry stands that shall wait as an order. Within the tolerance of docs/signals.md (the spread,
 * or a ten-thousandth of the price) it would be filled at once; half as much again leaves room for the market to move.
 */
export function waitingDistance(market: MarketInTicks): number {
  const tolerance = Math.max(market.spread, market.ask / 10_000);
  return Math.ceil(Math.max(0.5 * market.atr, 1.5 * tolerance)) + 1;
}

export interface Plan {
  readonly direction: Direction;
  /** In ticks, as are the distances of stop and target from it. */
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  readonly minutes: number;
  readonly note: string;
}

export function ideaOf(market: MarketInTicks, { direction, entry, stop, target, minutes, note }: Plan): Idea | null {
  const [down, up] = [stop, target].map((distance) => Math.max(nearestLevel(market), Math.round(distance))) as [
    number,
    number,
  ];
  if (Math.max(down, up) * FARTHEST_DIVISOR > entry) return null;
  const sign = signOf(direction);
  return {
    direction,
    entry: priceOf(entry, market.digits),
    stop_loss: priceOf(entry - sign * down, market.digits),
    take_profit: priceOf(entry + sign * up, market.digits),
    note,
    expires_in_seconds: minutes * 60,
  };
}
