// Builds the price levels of an idea from an entry and two distances: in order, on whole ticks, and clear of the spread.
import { type MarketInTicks, priceOf } from './market-in-ticks.ts';
import type { TradeIdea } from './strategy.ts';

/** The spread, not the market, would decide a stop or target closer than this. */
const MIN_DISTANCE_SPREADS = 3;
/** The service accepts distances up to half of the entry price. */
const MAX_DISTANCE_DIVISOR = 2;

export type Direction = TradeIdea['direction'];

/** 1 for a buy, −1 for a sell: multiplied by it, one rule serves both. */
export const directionSign = (direction: Direction): 1 | -1 => (direction === 'buy' ? 1 : -1);

/** The price at which a market order fills, in ticks. */
export const marketPrice = (market: MarketInTicks, direction: Direction): number =>
  direction === 'buy' ? market.ask : market.bid;

/** Smallest distance of stop and target from the entry, in ticks. */
export const minimumDistance = ({ spread }: MarketInTicks): number => MIN_DISTANCE_SPREADS * spread;

/**
 * Distance of a pending entry from the market, in ticks. An entry within the tolerance of docs/reference/signals.md (the spread, or a
 * ten-thousandth of the price) fills immediately; 1.5 times the tolerance leaves the market space to move.
 */
export function pendingEntryDistance(market: MarketInTicks): number {
  const tolerance = Math.max(market.spread, market.ask / 10_000);
  return Math.ceil(Math.max(0.5 * market.atr, 1.5 * tolerance)) + 1;
}

export interface IdeaInTicks {
  readonly direction: Direction;
  readonly entry: number;
  /** Distance from the entry. */
  readonly stop: number;
  /** Distance from the entry. */
  readonly target: number;
  readonly minutes: number;
  readonly note: string;
}

/** Converts an idea to prices; `null` if a distance exceeds what the service accepts. */
export function createIdea(
  market: MarketInTicks,
  { direction, entry, stop, target, minutes, note }: IdeaInTicks,
): TradeIdea | null {
  const distanceOf = (ticks: number): number => Math.max(minimumDistance(market), Math.round(ticks));
  const [toStop, toTarget] = [distanceOf(stop), distanceOf(target)];
  if (Math.max(toStop, toTarget) * MAX_DISTANCE_DIVISOR > entry) return null;
  const sign = directionSign(direction);
  return {
    direction,
    entry: priceOf(entry, market.digits),
    stop_loss: priceOf(entry - sign * toStop, market.digits),
    take_profit: priceOf(entry + sign * toTarget, market.digits),
    note,
    expires_in_seconds: minutes * 60,
  };
}
