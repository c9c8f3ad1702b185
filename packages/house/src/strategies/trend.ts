// Trend: the fast average crosses the slow one. Enter with a stop order, which fills only if the market continues.
import { exponentialAverage } from './indicators.ts';
import { createIdea, directionSign, marketPrice, minimumDistance, pendingEntryDistance } from './levels.ts';
import { marketInTicks } from './market-in-ticks.ts';
import type { Strategy } from './strategy.ts';

const FAST = 8;
const SLOW = 21;
/** After this many bars, the first close has a weight of less than 2 % in the slow average. */
const NEEDED_BARS = 45;
const STOP_ATR = 1;
/** In multiples of the risk. */
const TARGET_R = 1.5;
const MINUTES = 45;

export const trend: Strategy = (snapshot) => {
  const market = marketInTicks(snapshot, NEEDED_BARS);
  if (!market) return null;
  const closes = market.bars.map(({ close }) => close);
  const [fast, slow] = [exponentialAverage(closes, FAST), exponentialAverage(closes, SLOW)];
  const difference = (back: number): number => fast.at(-back)! - slow.at(-back)!;
  const [previous, current] = [difference(2), difference(1)];
  // Averages that merely touch, as in a flat market, have not crossed.
  if (previous * current >= 0) return null;

  const direction = current > 0 ? 'buy' : 'sell';
  const risk = Math.max(minimumDistance(market), Math.round(STOP_ATR * market.atr));
  return createIdea(market, {
    direction,
    entry: marketPrice(market, direction) + directionSign(direction) * pendingEntryDistance(market),
    stop: risk,
    target: TARGET_R * risk,
    minutes: MINUTES,
    note: `Trend: the ${FAST}-minute average crossed ${current > 0 ? 'above' : 'below'} the ${SLOW}-minute average. Fills only if the market continues.`,
  });
};
