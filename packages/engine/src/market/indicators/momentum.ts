// Momentum: how far and how fast the price has moved. In a flat market, where the formula would divide by zero, an oscillator
// is in the middle of its range.
import {
  emaSettledAfter,
  type IndicatorFormula,
  int,
  priceOf,
  runOf,
  typicalPrice,
  wilderSettledAfter,
} from './indicator.ts';
import { AfterStart, ema, Mean, mean, Previous, PriceRange, Recent, Sum, wilder } from './running.ts';

export const RSI: IndicatorFormula = {
  settledAfter: (inputs) => wilderSettledAfter(int(inputs)),
  start: (inputs) => {
    const price = priceOf(inputs);
    const before = new Previous();
    const [gains, losses] = [new AfterStart(wilder(int(inputs))), new AfterStart(wilder(int(inputs)))];
    return runOf([before, gains, losses], (bar, final) => {
      const now = price(bar);
      const change = now - before.step(now, final);
      const gain = gains.step(Math.max(change, 0), final);
      const loss = losses.step(Math.max(-change, 0), final);
      return [gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)];
    });
  },
};

export const MACD: IndicatorFormula = {
  settledAfter: (inputs) =>
    emaSettledAfter(Math.max(int(inputs, 'fast'), int(inputs, 'slow'))) + emaSettledAfter(int(inputs, 'signal')),
  start: (inputs) => {
    const price = priceOf(inputs);
    const [fast, slow] = [ema(int(inputs, 'fast')), ema(int(inputs, 'slow'))];
    const signal = new AfterStart(ema(int(inputs, 'signal')));
    return runOf([fast, slow, signal], (bar, final) => {
      const now = price(bar);
      const macd = fast.step(now, final) - slow.step(now, final);
      const average = signal.step(macd, final);
      return [macd, average, macd - average];
    });
  },
};

export const STOCHASTIC: IndicatorFormula = {
  settledAfter: (inputs) => int(inputs) + int(inputs, 'smooth') + int(inputs, 'signal'),
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    const smoothed = new AfterStart(new Mean(int(inputs, 'smooth')));
    const signal = new AfterStart(new Mean(int(inputs, 'signal')));
    return runOf([range, smoothed, signal], (bar, final) => {
      const k = smoothed.step(100 * positionIn(range.step(bar, final), bar.close), final);
      return [k, signal.step(k, final)];
    });
  },
};

/** Where a price lies in a range: 0 at its low, 1 at its high. */
const positionIn = ({ low, high }: PriceRange, price: number): number =>
  high === low ? 0.5 : (price - low) / (high - low);

export const WILLIAMS_R: IndicatorFormula = {
  settledAfter: int,
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    return runOf([range], (bar, final) => [100 * (positionIn(range.step(bar, final), bar.close) - 1)]);
  },
};

export const CCI: IndicatorFormula = {
  settledAfter: int,
  start: (inputs) => {
    const recent = new Recent(int(inputs));
    return runOf([recent], (bar, final) => {
      const price = typicalPrice(bar);
      const values = recent.step(price, final);
      return [values ? channelIndex(values, price) : Number.NaN];
    });
  },
};

function channelIndex(values: Float64Array, price: number): number {
  const average = mean(values);
  let distance = 0;
  for (let at = 0; at < values.length; at++) distance += Math.abs(values[at]! - average);
  return distance === 0 ? 0 : (price - average) / ((0.015 * distance) / values.length);
}

export const MFI: IndicatorFormula = {
  settledAfter: (inputs) => int(inputs) + 1,
  start: (inputs) => {
    const before = new Previous();
    const [inflows, outflows] = [new Sum(int(inputs)), new Sum(int(inputs))];
    return runOf([before, inflows, outflows], (bar, final) => {
      const price = typicalPrice(bar);
      const previous = before.step(price, final);
      if (Number.isNaN(previous)) return [Number.NaN];
      const flow = price * bar.volume;
      const inflow = inflows.step(price > previous ? flow : 0, final);
      const total = inflow + outflows.step(price < previous ? flow : 0, final);
      return [total === 0 ? 50 : (100 * inflow) / total];
    });
  },
};

export const ROC: IndicatorFormula = {
  settledAfter: (inputs) => int(inputs) + 1,
  start: (inputs) => {
    const price = priceOf(inputs);
    const recent = new Recent(int(inputs) + 1);
    return runOf([recent], (bar, final) => {
      const now = price(bar);
      const values = recent.step(now, final);
      return [values ? 100 * (now / values[0]! - 1) : Number.NaN];
    });
  },
};
