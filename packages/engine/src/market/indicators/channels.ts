// Bands and channels around the price, and the average range they are made of.
import {
  emaSettledAfter,
  factorInput,
  type IndicatorDefinition,
  int,
  lengthInput,
  priceOf,
  SOURCE_INPUT,
  wilderSettledAfter,
} from './indicator.ts';
import { AverageTrueRange, deviation, ema, mean, PriceRange, Recent } from './running.ts';

export const ATR: IndicatorDefinition = {
  name: 'atr',
  title: 'Average true range',
  inputs: [lengthInput(14)],
  lines: ['value'],
  pane: 'own',
  settledAfter: (inputs) => wilderSettledAfter(int(inputs)),
  start: (inputs) => {
    const range = new AverageTrueRange(int(inputs));
    return { update: (bar, final) => [range.step(bar, final)] };
  },
};

export const BOLLINGER: IndicatorDefinition = {
  name: 'bollinger',
  title: 'Bollinger bands',
  inputs: [lengthInput(20), factorInput('factor', 2, 'Width in standard deviations'), SOURCE_INPUT],
  lines: ['middle', 'upper', 'lower'],
  pane: 'price',
  settledAfter: int,
  start: (inputs) => {
    const price = priceOf(inputs);
    const recent = new Recent(int(inputs));
    const factor = int(inputs, 'factor');
    return {
      update: (bar, final) => {
        const values = recent.step(price(bar), final);
        if (!values) return [Number.NaN, Number.NaN, Number.NaN];
        return around(mean(values), factor * deviation(values));
      },
    };
  },
};

const around = (middle: number, width: number): readonly number[] => [middle, middle + width, middle - width];

export const KELTNER: IndicatorDefinition = {
  name: 'keltner',
  title: 'Keltner channels',
  inputs: [
    lengthInput(20, 'length', 'Bars of the exponential average'),
    lengthInput(10, 'atr_length', 'Bars of the average true range'),
    factorInput('factor', 2, 'Width in average true ranges'),
    SOURCE_INPUT,
  ],
  lines: ['middle', 'upper', 'lower'],
  pane: 'price',
  settledAfter: (inputs) => Math.max(emaSettledAfter(int(inputs)), wilderSettledAfter(int(inputs, 'atr_length'))),
  start: (inputs) => {
    const [price, average] = [priceOf(inputs), ema(int(inputs))];
    const range = new AverageTrueRange(int(inputs, 'atr_length'));
    const factor = int(inputs, 'factor');
    return {
      update: (bar, final) => around(average.step(price(bar), final), factor * range.step(bar, final)),
    };
  },
};

export const DONCHIAN: IndicatorDefinition = {
  name: 'donchian',
  title: 'Donchian channels',
  inputs: [lengthInput(20)],
  lines: ['middle', 'upper', 'lower'],
  pane: 'price',
  settledAfter: int,
  start: (inputs) => {
    const range = new PriceRange(int(inputs));
    return {
      update: (bar, final) => {
        const { middle, high, low } = range.step(bar, final);
        return [middle, high, low];
      },
    };
  },
};

export const ICHIMOKU: IndicatorDefinition = {
  name: 'ichimoku',
  title: 'Ichimoku cloud',
  inputs: [
    lengthInput(9, 'conversion', 'Bars of the conversion line'),
    lengthInput(26, 'base', 'Bars of the base line'),
    lengthInput(52, 'span', 'Bars of the second leading span'),
    lengthInput(26, 'displacement', 'Bars by which spans lead and the close lags'),
  ],
  lines: ['conversion', 'base', 'leading_a', 'leading_b', 'lagging'],
  pane: 'price',
  offsets: (inputs) => {
    const bars = int(inputs, 'displacement') - 1;
    return { leading_a: bars, leading_b: bars, lagging: -bars };
  },
  settledAfter: (inputs) => Math.max(int(inputs, 'conversion'), int(inputs, 'base'), int(inputs, 'span')),
  start: (inputs) => {
    const [short, medium, long] = ['conversion', 'base', 'span'].map((name) => new PriceRange(int(inputs, name))) as [
      PriceRange,
      PriceRange,
      PriceRange,
    ];
    return {
      update: (bar, final) => {
        const conversion = short.step(bar, final).middle;
        const base = medium.step(bar, final).middle;
        return [conversion, base, (conversion + base) / 2, long.step(bar, final).middle, bar.close];
      },
    };
  },
};
