// Breakout: a minute that closes beyond the range of those before it is followed, at the market.
import { entrySide, ideaOf } from '../levels.ts';
import { inTicks, priceOf } from '../market-in-ticks.ts';
import type { Strategy } from '../strategy.ts';

const RANGE_BARS = 20;
const STOP_ATR = 1;
const TARGET_ATR = 1.5;
const MINUTES = 30;

export const breakout: Strategy = (look) => {
  const market = inTicks(look, RANGE_BARS + 1);
  if (!market) return null;
  const { close } = market.bars.at(-1)!;
  const range = market.bars.slice(-RANGE_BARS - 1, -1);
  const top = Math.max(...range.map(({ high }) => high));
  const bottom = Math.min(...range.map(({ low }) => low));
  if (bottom <= close && close <= top) return null;

  const shown = (ticks: number): number => priceOf(ticks, market.digits);
  const direction = close > top ? 'buy' : 'sell';
  const edge = direction === 'buy' ? `above the high ${shown(top)}` : `below the low ${shown(bottom)}`;
  return ideaOf(market, {
    direction,
    entry: entrySide(market, direction),
    stop: STOP_ATR * market.atr,
    target: TARGET_ATR * market.atr,
    minutes: MINUTES,
    note: `Breakout: a minute closed at ${shown(close)}, ${edge} of the ${RANGE_BARS} before it.`,
  });
};
