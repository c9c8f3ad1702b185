// Breakout: if a minute closes outside the range of the previous 20 minutes, enter at the market in that direction.
import { createIdea, marketPrice } from './levels.ts';
import { marketInTicks, priceOf } from './market-in-ticks.ts';
import type { Strategy } from './strategy.ts';

const RANGE_BARS = 20;
const STOP_ATR = 1;
const TARGET_ATR = 1.5;
const MINUTES = 30;

export const breakout: Strategy = (snapshot) => {
  const market = marketInTicks(snapshot, RANGE_BARS + 1);
  if (!market) return null;
  const { close } = market.bars.at(-1)!;
  const range = market.bars.slice(-RANGE_BARS - 1, -1);
  const top = Math.max(...range.map(({ high }) => high));
  const bottom = Math.min(...range.map(({ low }) => low));
  if (bottom <= close && close <= top) return null;

  const price = (ticks: number): number => priceOf(ticks, market.digits);
  const direction = close > top ? 'buy' : 'sell';
  const edge =
    direction === 'buy'
      ? `above the ${RANGE_BARS}-minute high ${price(top)}`
      : `below the ${RANGE_BARS}-minute low ${price(bottom)}`;
  return createIdea(market, {
    direction,
    entry: marketPrice(market, direction),
    stop: STOP_ATR * market.atr,
    target: TARGET_ATR * market.atr,
    minutes: MINUTES,
    note: `Breakout: close ${price(close)} is ${edge}.`,
  });
};
