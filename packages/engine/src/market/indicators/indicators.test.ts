import { describe, expect, test } from 'bun:test';
import { parseIndicator } from '@tickwire/contract';
import { seededRandom } from '../../../testing/random.ts';
import { recordedBars } from '../../../testing/recorded-bars.ts';
import { UTC_DAY } from '../chart-interval.ts';
import { asEpochMs } from '../time.ts';
import type { IndicatorBar } from './indicator.ts';
import { chartContext, INDICATORS, IndicatorSeries } from './indicators.ts';

const bars = recordedBars();
const start = (name: string, inputs: Readonly<Record<string, number | string>> = {}): IndicatorSeries => {
  const definition = INDICATORS.get(name)!;
  return new IndicatorSeries(definition, { ...parseIndicator(definition.name).inputs, ...inputs });
};
const flat = (close: number, at = 0): IndicatorBar => ({
  time: asEpochMs(at * 60_000),
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  bidVolume: 0,
  askVolume: 1,
});

describe.each([...INDICATORS.keys()])('%s', (name) => {
  test('previews of a forming bar change nothing, and the last one is the value of the closed bar', () => {
    const random = seededRandom(7);
    const [plain, previewed] = [start(name), start(name)];
    for (const bar of bars.slice(0, 800)) {
      // The bar as it was earlier: another close, a narrower range.
      const close = bar.low + random() * (bar.high - bar.low);
      previewed.preview({ ...bar, close, high: Math.max(bar.open, close), low: Math.min(bar.open, close) });
      const last = previewed.preview(bar);
      const added = plain.add(bar);
      expect(previewed.add(bar)).toEqual(added);
      expect(last).toEqual(added);
    }
  });

  test('a settled value is the same, whenever the history starts', () => {
    const whole = start(name);
    const expected = bars.map((bar) => whole.add(bar));
    for (let from = 1; from < 4_000; from += 397) {
      const later = start(name);
      for (let at = from; at < from + 1_200; at++) {
        const { values, settled } = later.add(bars[at]!);
        if (!settled) continue;
        for (const [line, value] of values.entries()) {
          const reference = expected[at]!.values[line]!;
          expect(Math.abs(value - reference)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(reference)));
        }
      }
    }
  });

  test('settles within 1,000 bars, except a total without an anchor', () => {
    const series = start(name);
    const settled = bars.slice(0, 1_000).map((bar) => series.add(bar).settled);
    expect(settled.at(-1)).toBe(name !== 'obv');
  });

  test('stays finite in a market that does not move', () => {
    const series = start(name);
    for (let at = 0; at < 3_000; at++) {
      const { values } = series.add(flat(1.1, at));
      if (at > 2_900) expect(values.every(Number.isFinite)).toBe(true);
    }
  });

  test('has a description of each input', () => {
    const { title, inputs } = INDICATORS.get(name)!;
    expect(title).not.toBe('');
    for (const input of inputs) expect(input.description).not.toBe('');
  });
});

describe('oscillators without movement are in the middle', () => {
  test.each([
    ['rsi', 50],
    ['stochastic', 50],
    ['williams', -50],
    ['mfi', 50],
    ['cci', 0],
  ])('%s', (name, middle) => {
    const series = start(name);
    let last: readonly number[] = [];
    for (let at = 0; at < 100; at++) last = series.add(flat(1.1, at)).values;
    expect(last[0]).toBe(middle);
  });
});

test('the average price by volume starts again each day', () => {
  const series = start('vwap');
  const day = 24 * 60;
  series.add(flat(10, day - 1));
  expect(series.add(flat(20, day)).values).toEqual([20]);
  expect(series.add(flat(30, day + 1)).values).toEqual([25]);
});

test('a total from an anchor is settled from the first bar', () => {
  const definition = INDICATORS.get('vwap')!;
  const series = new IndicatorSeries(definition, { anchor: 'first' }, chartContext(UTC_DAY, true));
  expect(series.add(flat(10, 5))).toEqual({ values: [10], settled: true });
});

test('pivot points come from the day before', () => {
  const series = start('pivots');
  const day = 24 * 60;
  series.add({ ...flat(100, 0), high: 110, low: 90 });
  series.add({ ...flat(106, 1), high: 107, low: 95 });
  const { values, settled } = series.add(flat(1, day));
  // High 110, low 90, close 106.
  expect(values).toEqual([102, 114, 122, 134, 94, 82, 74]);
  expect(settled).toBe(true);
  expect(series.add(flat(500, day + 1)).values).toEqual(values);
});

test('the cumulative delta of a day is buyer-initiated minus seller-initiated volume', () => {
  const series = start('cvd');
  series.add({ ...flat(1, 0), askVolume: 5, bidVolume: 2 });
  expect(series.add({ ...flat(1, 1), askVolume: 1, bidVolume: 7 }).values).toEqual([-3]);
});

test('supertrend turns with a close beyond the band', () => {
  const series = start('supertrend', { length: 1, factor: 1 });
  const bar = (at: number, close: number): IndicatorBar => ({ ...flat(close, at), high: close + 1, low: close - 1 });
  for (let at = 0; at < 5; at++) series.add(bar(at, 100));
  expect(series.add(bar(5, 90)).values[1]).toBe(-1);
  expect(series.add(bar(6, 120)).values[1]).toBe(1);
});
