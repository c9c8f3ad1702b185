// Trend: the fast average crosses the slow one. It is followed only if the market goes on that way, as a stop entry.
import { exponentialAverage } from '../indicators.ts';
import { entrySide, ideaOf, nearestLevel, signOf, waitingDistance } from '../levels.ts';
import { inTicks } from '../market-in-ticks.ts';
import type { Strategy } from '../strategy.ts';

const FAST = 8;
const SLOW = 21;
/** By then less than a fiftieth of the slow average is still the first close. */
const NEEDED_BARS = 45;
const STOP_ATR = 1;
/** In multiples of what is risked. */
const TARGET_R = 1.5;
const MINUTES = 45;

export const trend: Strategy = (look) => {
  const market = inTicks(look, NEEDED_BARS);
  if (!market) return null;
  const closes = market.bars.map(({ close }) => close);
  const [fast, slow] = [exponentialAverage(closes, FAST), exponentialAverage(closes, SLOW)];
  const lead = (back: number): number => fast.at(-back)! - slow.at(-back)!;
  const [before, now] = [lead(2), lead(1)];
  // Two that merely touch, as in a market that stands still, have not crossed.
  if (before * now >= 0) return null;

  const direction = now > 0 ? 'buy' : 'sell';
  const risk = Math.max(nearestLevel(market), Math.round(STOP_ATR * market.atr));
  return ideaOf(market, {
    direction,
    entry: entrySide(market, direction) + signOf(direction) * waitingDistance(market),
    stop: risk,
    target: TARGET_R * risk,
    minutes: MINUTES,
    note: `Trend: the average of ${FAST} minutes crossed ${now > 0 ? 'above' : 'below'} that of ${SLOW}. Entered only if the market goes on.`,
  });
};
