// Momentum: how far and how fast the price has moved. In a flat market, where the formula would divide by zero, an oscillator
// is in the middle of its range.
import {
  emaSettledAfter,
  type IndicatorDefinition,
  int,
  lengthInput,
  priceOf,
  SOURCE_INPUT,
  typicalPrice,
  wilderSettledAfter,
} from './indicator.ts';
import { AfterStart, ema, Mean, mean, Previous, PriceRange, Recent, Sum, wilder } from './running.ts';

export const RSI: IndicatorDefinition = {
  name: 'rsi',
  title: 'Relative strength index',
  inputs: [lengthInput(14), SOURCE_INPUT],
  lines: ['value'],
  pane: 'own',
  settledAfter: (inputs) => wilderSettledAfter(int(inputs)),
  start: (inputs) => {
    const price = priceOf(inputs);
    const before = new Previous();
    const [gains, losses] = [new AfterStart(wilder(int(inputs))), new AfterStart(wilder(int(inputs)))];
    return {
      update: (bar, final) => {
        const now = price(bar);
        const change = now - before.step(now, final);
        const gain = gains.step(Math.max(change, 0), final);
        const loss = losses.step(Math.max(-change, 0), final);
        return [gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)];
      },
    };
  },
};

export const MACD: IndicatorDefinition = {
  name: 'macd',
  title: 'Moving average convergence divergence',
  inputs: [
    lengthInput(12, 'fast', 'Bars of the fast average'),
    lengthInput(26, 'slow', 'Bars of the slow average'),
    lengthInput(9, 'signal', 'Bars of the signal line'),
    SOURCE_INPUT,
  ],
  lines: ['macd', 'signal', 'histogram'],
  pane: 'own',
  settledAfter: (inputs) =>
    emaSettledAfter(Math.max(int(inputs, 'fast'), int(inputs, 'slow'))) + emaSettledAfter(int(inputs, 'signal')),
  start: (inputs) => {
    const price = priceOf(inputs);
    const [fast, slow] = [ema(int(inputs, 'fast')), ema(int(inputs, 'slow'))];
    const signal = new AfterStart(ema(int(inputs, 'signal')));
    return {
      update: (bar, final) => {
        const now = price(bar);
        const macd = fast.step(now, final) - slow.step(now, final);
        const average = signal.step(macd, final);
        return [macd, average, macd - average];
      },
    };
  },
};

export const STOCHASTIC: IndicatorDefinition = {
  name: 'stochastic',
  title: 'Stochastic oscillator',
  inputs: [
    lengthInput(14),
    lengthInput(3, 'smooth', 'Bars over which %K is averaged'),
    lengthInput(3, 'signal', 'Bars over which %K is averaged again to %D'),
  ],
  lines: ['k', 'd'],
  pane: 'own',
  settledAfter: (inputs) => int(inputs) + int(inputs, 'smooth') + int(inputs, 'signal'),
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    const smoothed = new AfterStart(new Mean(int(inputs, 'smooth')));
    const signal = new AfterStart(new Mean(int(inputs, 'signal')));
    return {
      update: (bar, final) => {
        const k = smoothed.step(100 * positionIn(range.step(bar, final), bar.close), final);
        return [k, signal.step(k, final)];
      },
    };
  },
};

/** Where a price lies in a range: 0 at its low, 1 at its high. */
const positionIn = ({ low, high }: PriceRange, price: number): number =>
  high === low ? 0.5 : (price - low) / (high - low);

export const WILLIAMS_R: IndicatorDefinition = {
  name: 'williams',
  title: 'Williams %R',
  inputs: [lengthInput(14)],
  lines: ['value'],
  pane: 'own',
  settledAfter: int,
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    return {
      update: (bar, final) => [100 * (positionIn(range.step(bar, final), bar.close) - 1)],
    };
  },
};

export const CCI: IndicatorDefinition = {
  name: 'cci',
  title: 'Commodity channel index',
  inputs: [lengthInput(20, 'length', 'Number of bars', 2)],
  lines: ['value'],
  pane: 'own',
  settledAfter: int,
  start: (inputs) => {
    const recent = new Recent(int(inputs));
    return {
      update: (bar, final) => {
        const price = typicalPrice(bar);
        const values = recent.step(price, final);
        return [values ? channelIndex(values, price) : Number.NaN];
      },
    };
  },
};

function channelIndex(values: Float64Array, price: number): number {
  const average = mean(values);
  let distance = 0;
  for (let at = 0; at < values.length; at++) distance += Math.abs(values[at]! - average);
  return distance === 0 ? 0 : (price - average) / ((0.015 * distance) / values.length);
}

export const MFI: IndicatorDefinition = {
  name: 'mfi',
  title: 'Money flow index',
  inputs: [lengthInput(14)],
  lines: ['value'],
  pane: 'own',
  settledAfter: (inputs) => int(inputs) + 1,
  start: (inputs) => {
    const before = new Previous();
    const [inflows, outflows] = [new Sum(int(inputs)), new Sum(int(inputs))];
    return {
      update: (bar, final) => {
        const price = typicalPrice(bar);
        const previous = before.step(price, final);
        if (Number.isNaN(previous)) return [Number.NaN];
        const flow = price * bar.volume;
        const inflow = inflows.step(price > previous ? flow : 0, final);
        const total = inflow + outflows.step(price < previous ? flow : 0, final);
        return [total === 0 ? 50 : (100 * inflow) / total];
      },
    };
  },
};

export const ROC: IndicatorDefinition = {
  name: 'roc',
  title: 'Rate of change in percent',
  inputs: [lengthInput(10), SOURCE_INPUT],
  lines: ['value'],
  pane: 'own',
  settledAfter: (inputs) => int(inputs) + 1,
  start: (inputs) => {
    const price = priceOf(inputs);
    const recent = new Recent(int(inputs) + 1);
    return {
      update: (bar, final) => {
        const now = price(bar);
        const values = recent.step(now, final);
        return [values ? 100 * (now / values[0]! - 1) : Number.NaN];
      },
    };
  },
};
