import { expect, test } from 'bun:test';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { whyEmpty } from './indicator-figures.ts';
import { IndicatorValues } from './indicator-values.ts';

const candle = (time: number) => ({ time }) as ChartCandle;

test('an empty pane says why: values are loading, or there are too few bars', () => {
  const values = new IndicatorValues(['value']);
  expect([whyEmpty(null, candle(0)), whyEmpty(values, candle(0))]).toEqual(['loading…', 'loading…']);
  values.apply(0, { value: null, settled: false }, true);
  values.apply(60_000, { value: 5, settled: true }, true);
  expect(whyEmpty(values, candle(0))).toBe('no value: too few bars before this one');
  expect(whyEmpty(values, candle(60_000))).toBe('');
  // The newest bar has none yet.
  expect(whyEmpty(values, candle(120_000))).toBe('');
});
