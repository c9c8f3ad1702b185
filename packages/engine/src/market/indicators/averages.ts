// Moving averages, and the line and the spread of the prices they are made of.
import { emaSettledAfter, type IndicatorDefinition, int, lengthInput, priceOf, SOURCE_INPUT } from './indicator.ts';
import { deviation, ema, Mean, mean, Recent } from './running.ts';

/** An indicator on one price of each bar. `step` gives its lines with one more price. */
const onPrices = (
  definition: Pick<IndicatorDefinition, 'name' | 'title' | 'pane'> & Partial<IndicatorDefinition>,
  step: (length: number) => (price: number, final: boolean) => readonly number[],
): IndicatorDefinition => ({
  inputs: [lengthInput(20), SOURCE_INPUT],
  lines: ['value'],
  settledAfter: int,
  start: (inputs) => {
    const [price, next] = [priceOf(inputs), step(int(inputs))];
    return { update: (bar, final) => next(price(bar), final) };
  },
  ...definition,
});

/** The lines as a function of the last prices. */
const ofRecent =
  (lines: (values: Float64Array) => readonly number[], count = 1) =>
  (length: number) => {
    const recent = new Recent(length);
    const none = Array.from({ length: count }, () => Number.NaN);
    return (price: number, final: boolean): readonly number[] => {
      const values = recent.step(price, final);
      return values ? lines(values) : none;
    };
  };

export const SMA = onPrices({ name: 'sma', title: 'Simple moving average', pane: 'price' }, (length) => {
  const average = new Mean(length);
  return (price, final) => [average.step(price, final)];
});

export const EMA = onPrices(
  {
    name: 'ema',
    title: 'Exponential moving average',
    pane: 'price',
    settledAfter: (inputs) => emaSettledAfter(int(inputs)),
  },
  (length) => {
    const average = ema(length);
    return (price, final) => [average.step(price, final)];
  },
);

/** The newest price weighs as much as there are prices, the oldest 1. */
export const WMA = onPrices(
  { name: 'wma', title: 'Weighted moving average', pane: 'price' },
  ofRecent((values) => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += (at + 1) * values[at]!;
    return [(2 * sum) / (values.length * (values.length + 1))];
  }),
);

export const STANDARD_DEVIATION = onPrices(
  { name: 'stddev', title: 'Standard deviation', pane: 'own' },
  ofRecent((values) => [deviation(values)]),
);

/** Value of the least-squares line at the last bar, and its slope per bar. */
export const LINEAR_REGRESSION = onPrices(
  {
    name: 'linreg',
    title: 'Linear regression',
    inputs: [lengthInput(20, 'length', 'Number of bars', 2), SOURCE_INPUT],
    lines: ['value', 'slope'],
    pane: 'price',
  },
  ofRecent((values) => {
    const middle = (values.length - 1) / 2;
    const average = mean(values);
    let [products, squares] = [0, 0];
    for (let at = 0; at < values.length; at++) {
      products += (at - middle) * (values[at]! - average);
      squares += (at - middle) ** 2;
    }
    const slope = products / squares;
    return [average + slope * middle, slope];
  }, 2),
);
