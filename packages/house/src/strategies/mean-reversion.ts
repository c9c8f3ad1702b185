// Mean reversion: a close far out from the mean is expected to come back. It waits for a still better price, as a limit.
import { mean, standardDeviation } from '../indicators.ts';
import { entrySide, ideaOf, nearestLevel, signOf, waitingDistance } from '../levels.ts';
import { inTicks, priceOf } from '../market-in-ticks.ts';
import type { Strategy } from '../strategy.ts';

const MEAN_BARS = 30;
/** Standard deviations from the mean. */
const FAR_OUT = 2;
const STOP_ATR = 1.5;
const MINUTES = 20;

export const meanReversion: Strategy = (look) => {
  const market = inTicks(look, MEAN_BARS);
  if (!market) return null;
  const closes = market.bars.slice(-MEAN_BARS).map(({ close }) => close);
  const deviation = standardDeviation(closes);
  if (deviation === 0) return null;
  const middle = Math.round(mean(closes));
  const score = (closes.at(-1)! - mean(closes)) / deviation;
  if (Math.abs(score) <= FAR_OUT) return null;

  const direction = score < 0 ? 'buy' : 'sell';
  const sign = signOf(direction);
  const entry = entrySide(market, direction) - sign * waitingDistance(market);
  // The market may be back already, or the way back too short to pay the spread.
  const wayBack = sign * (middle - entry);
  if (wayBack < nearestLevel(market)) return null;
  const side = score < 0 ? 'below' : 'above';
  const far = `${Math.abs(score).toFixed(1)} standard deviations ${side} the mean of ${MEAN_BARS} minutes`;
  return ideaOf(market, {
    direction,
    entry,
    stop: STOP_ATR * market.atr,
    target: wayBack,
    minutes: MINUTES,
    note: `Mean reversion: the close is ${far}, ${priceOf(middle, market.digits)}, which is the target.`,
  });
};
