// Mean reversion: if the close is far from the mean, expect a return to it. Enter with a limit order at a better price.
import { mean, standardDeviation } from './indicators.ts';
import { createIdea, directionSign, marketPrice, minimumDistance, pendingEntryDistance } from './levels.ts';
import { marketInTicks, priceOf } from './market-in-ticks.ts';
import type { Strategy } from './strategy.ts';

const MEAN_BARS = 30;
/** In standard deviations from the mean. */
const MIN_DEVIATION = 2;
const STOP_ATR = 1.5;
const MINUTES = 20;

export const meanReversion: Strategy = (snapshot) => {
  const market = marketInTicks(snapshot, MEAN_BARS);
  if (!market) return null;
  const closes = market.bars.slice(-MEAN_BARS).map(({ close }) => close);
  const deviation = standardDeviation(closes);
  if (deviation === 0) return null;
  const target = Math.round(mean(closes));
  const score = (closes.at(-1)! - mean(closes)) / deviation;
  if (Math.abs(score) <= MIN_DEVIATION) return null;

  const direction = score < 0 ? 'buy' : 'sell';
  const sign = directionSign(direction);
  const entry = marketPrice(market, direction) - sign * pendingEntryDistance(market);
  // The market may have returned already, or the distance may be too small to cover the spread.
  const toMean = sign * (target - entry);
  if (toMean < minimumDistance(market)) return null;
  const side = score < 0 ? 'below' : 'above';
  const distance = `${Math.abs(score).toFixed(1)} standard deviations ${side} the ${MEAN_BARS}-minute mean`;
  return createIdea(market, {
    direction,
    entry,
    stop: STOP_ATR * market.atr,
    target: toMean,
    minutes: MINUTES,
    note: `Mean reversion: the close is ${distance}. Target: the mean, ${priceOf(target, market.digits)}.`,
  });
};
