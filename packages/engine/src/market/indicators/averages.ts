// Moving averages, and the line and the spread of the prices they are made of.
import { emaSettledAfter, type IndicatorFormula, int, type Part, priceOf, runOf } from './indicator.ts';
import { deviation, ema, Mean, mean, Recent } from './running.ts';

/** An indicator of one line on one price of each bar. */
const ofPrices = (
  start: (length: number) => Part & { step(price: number, final: boolean): number },
  settledAfter: (length: number) => number = (length) => length,
): IndicatorFormula => ({
  settledAfter: (inputs) => settledAfter(int(inputs)),
  start: (inputs) => {
    const [price, series] = [priceOf(inputs), start(int(inputs))];
    return runOf([series], (bar, final) => [series.step(price(bar), final)]);
  },
});

/** Lines as a function of the last prices. */
const ofRecent = (lines: (values: Float64Array) => readonly number[], count = 1): IndicatorFormula => ({
  settledAfter: int,
  start: (inputs) => {
    const [price, recent] = [priceOf(inputs), new Recent(int(inputs))];
    const none = Array.from({ length: count }, () => Number.NaN);
    return runOf([recent], (bar, final) => {
      const values = recent.step(price(bar), final);
      return values ? lines(values) : none;
    });
  },
});

export const SMA = ofPrices((length) => new Mean(length));

export const EMA = ofPrices(ema, emaSettledAfter);

/** The newest price weighs as much as there are prices, the oldest 1. */
export const WMA = ofRecent((values) => {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += (at + 1) * values[at]!;
  return [(2 * sum) / (values.length * (values.length + 1))];
});

export const STANDARD_DEVIATION = ofRecent((values) => [deviation(values)]);

/** Value of the least-squares line at the last bar, and its slope per bar. */
export const LINEAR_REGRESSION = ofRecent((values) => {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  let products = 0;
  for (let at = 0; at < values.length; at++) products += (at - middle) * (values[at]! - average);
  // The sum of the squares of at − middle.
  const squares = (values.length * (values.length * values.length - 1)) / 12;
  const slope = products / squares;
  return [average + slope * middle, slope];
}, 2);
