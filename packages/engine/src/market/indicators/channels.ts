// Bands and channels around the price, and the average range they are made of.
import { emaSettledAfter, type IndicatorFormula, int, priceOf, runOf, wilderSettledAfter } from './indicator.ts';
import { AverageTrueRange, ema, mean, PriceRange, Recent, spread } from './running.ts';

export const ATR: IndicatorFormula = {
  settledAfter: (inputs) => wilderSettledAfter(int(inputs)),
  start: (inputs) => {
    const range = new AverageTrueRange(int(inputs));
    return runOf([range], (bar, final) => [range.step(bar, final)]);
  },
};

export const BOLLINGER: IndicatorFormula = {
  settledAfter: int,
  start: (inputs) => {
    const price = priceOf(inputs);
    const recent = new Recent(int(inputs));
    const factor = int(inputs, 'factor');
    return runOf([recent], (bar, final) => {
      const values = recent.step(price(bar), final);
      if (!values) return [Number.NaN, Number.NaN, Number.NaN];
      const middle = mean(values);
      return around(middle, factor * spread(values, middle));
    });
  },
};

const around = (middle: number, width: number): readonly number[] => [middle, middle + width, middle - width];

export const KELTNER: IndicatorFormula = {
  settledAfter: (inputs) => Math.max(emaSettledAfter(int(inputs)), wilderSettledAfter(int(inputs, 'atr_length'))),
  start: (inputs) => {
    const [price, average] = [priceOf(inputs), ema(int(inputs))];
    const range = new AverageTrueRange(int(inputs, 'atr_length'));
    const factor = int(inputs, 'factor');
    return runOf([average, range], (bar, final) =>
      around(average.step(price(bar), final), factor * range.step(bar, final)),
    );
  },
};

export const DONCHIAN: IndicatorFormula = {
  settledAfter: int,
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    return runOf([range], (bar, final) => {
      const { middle, high, low } = range.step(bar, final);
      return [middle, high, low];
    });
  },
};

/** Values are those of the bar. A chart draws the spans later and the close earlier: see `offsets`. */
export const ICHIMOKU: IndicatorFormula = {
  offsets: (inputs) => {
    const bars = int(inputs, 'displacement') - 1;
    return { leading_a: bars, leading_b: bars, lagging: -bars };
  },
  settledAfter: (inputs) => Math.max(int(inputs, 'conversion'), int(inputs, 'base'), int(inputs, 'span')),
  start: (inputs) => {
    const short = new PriceRange(int(inputs, 'conversion'));
    const medium = new PriceRange(int(inputs, 'base'));
    const long = new PriceRange(int(inputs, 'span'));
    return runOf([short, medium, long], (bar, final) => {
      const conversion = short.step(bar, final).middle;
      const base = medium.step(bar, final).middle;
      return [conversion, base, (conversion + base) / 2, long.step(bar, final).middle, bar.close];
    });
  },
};
