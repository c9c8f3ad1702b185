// After warm-up, indicators agree with TA-Lib on recorded bars.
import { beforeAll, describe, expect, test } from 'bun:test';
import { parseIndicator } from '@tickwire/contract';
import { recordedBars } from '../../../testing/recorded-bars.ts';
import { loadTalib } from '../../../testing/talib.ts';
import { INDICATORS, IndicatorSeries } from './indicators.ts';

const TOLERANCE = 1e-9;
const bars = recordedBars();
const high = bars.map((bar) => bar.high);
const low = bars.map((bar) => bar.low);
const close = bars.map((bar) => bar.close);
const volume = bars.map((bar) => bar.volume);

let talib: Awaited<ReturnType<typeof loadTalib>>;
beforeAll(async () => {
  talib = await loadTalib();
});

const mean = (values: readonly number[], length: number) =>
  talib('SMA', { inReal: values, timePeriod: length }, length - 1);
const highest = (length: number) => talib('MAX', { inReal: high, timePeriod: length }, length - 1);
const lowest = (length: number) => talib('MIN', { inReal: low, timePeriod: length }, length - 1);
const middle = (length: number) => sum(highest(length), lowest(length), 0.5, 0.5);
const sum = (a: readonly number[], b: readonly number[], of = 1, and = 1): readonly number[] => {
  const shorter = Math.min(a.length, b.length);
  const [one, other] = [a.slice(a.length - shorter), b.slice(b.length - shorter)];
  return one.map((value, at) => of * value + and * other[at]!);
};
/** TA-Lib adds up squares, which loses digits if the prices are large: short pieces that start at 0 keep them. */
function deviation(values: readonly number[], length: number): readonly number[] {
  const piece = 200;
  const results: number[] = [];
  for (let at = 0; at + length <= values.length; at += piece - length + 1)
    results.push(
      ...talib(
        'VAR',
        { inReal: values.slice(at, at + piece).map((value) => value - values[at]!), timePeriod: length, nbDev: 1 },
        length - 1,
      ).map(Math.sqrt),
    );
  return results;
}
const stochasticK = () =>
  mean(
    talib('WILLR', { high, low, close, timePeriod: 14 }, 13).map((value) => value + 100),
    3,
  );
const macd = (line: string) =>
  talib(`MACD.${line}`, { inReal: close, fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 }, 33);

/** Lines by indicator. The last value of each belongs to the last bar. */
const ORACLE: Readonly<Record<string, Readonly<Record<string, () => readonly number[]>>>> = {
  sma: { value: () => mean(close, 20) },
  ema: { value: () => talib('EMA', { inReal: close, timePeriod: 20 }, 19) },
  wma: { value: () => talib('WMA', { inReal: close, timePeriod: 20 }, 19) },
  rsi: { value: () => talib('RSI', { inReal: close, timePeriod: 14 }, 14) },
  macd: { macd: () => macd('MACD'), signal: () => macd('MACDSignal'), histogram: () => macd('MACDHist') },
  bollinger: {
    middle: () => mean(close, 20),
    upper: () => sum(mean(close, 20), deviation(close, 20), 1, 2),
    lower: () => sum(mean(close, 20), deviation(close, 20), 1, -2),
  },
  atr: { value: () => talib('ATR', { high, low, close, timePeriod: 14 }, 14) },
  keltner: {
    middle: () => talib('EMA', { inReal: close, timePeriod: 20 }, 19),
    upper: () =>
      sum(
        talib('EMA', { inReal: close, timePeriod: 20 }, 19),
        talib('ATR', { high, low, close, timePeriod: 10 }, 10),
        1,
        2,
      ),
  },
  donchian: { upper: () => highest(20), lower: () => lowest(20), middle: () => middle(20) },
  stochastic: { k: stochasticK, d: () => mean(stochasticK(), 3) },
  adx: {
    adx: () => talib('ADX', { high, low, close, timePeriod: 14 }, 27),
    plus_di: () => talib('PLUS_DI', { high, low, close, timePeriod: 14 }, 14),
    minus_di: () => talib('MINUS_DI', { high, low, close, timePeriod: 14 }, 14),
  },
  cci: { value: () => talib('CCI', { high, low, close, timePeriod: 20 }, 19) },
  mfi: { value: () => talib('MFI', { high, low, close, volume, timePeriod: 14 }, 14) },
  obv: { value: () => talib('OBV', { inReal: close, volume }, 0) },
  ichimoku: {
    conversion: () => middle(9),
    base: () => middle(26),
    leading_a: () => sum(middle(9), middle(26), 0.5, 0.5),
    leading_b: () => middle(52),
  },
  psar: { value: () => talib('SAR', { high, low, acceleration: 0.02, maximum: 0.2 }, 1) },
  williams: { value: () => talib('WILLR', { high, low, close, timePeriod: 14 }, 13) },
  roc: { value: () => talib('ROC', { inReal: close, timePeriod: 10 }, 10) },
  stddev: { value: () => deviation(close, 20) },
  linreg: {
    value: () => talib('LINEARREG', { inReal: close, timePeriod: 20 }, 19),
    slope: () => talib('LINEARREG_SLOPE', { inReal: close, timePeriod: 20 }, 19),
  },
};

describe('agrees with TA-Lib on recorded bars once settled', () => {
  for (const [name, lines] of Object.entries(ORACLE)) {
    test(name, () => {
      const definition = INDICATORS.get(name)!;
      const series = new IndicatorSeries(definition, parseIndicator(definition.name).inputs, {
        periodAt: (time) => ({ start: time, end: time }),
        startsAtAnchor: true,
      });
      const ours = bars.map((bar) => series.add(bar));
      for (const [line, expected] of Object.entries(lines)) {
        const theirs = expected();
        const first = bars.length - theirs.length;
        let [worst, compared] = [0, 0];
        for (let at = first; at < bars.length; at++) {
          if (!ours[at]!.settled) continue;
          compared++;
          const [one, other] = [ours[at]!.values[definition.lines.indexOf(line)]!, theirs[at - first]!];
          const difference = Math.abs(one - other) / Math.max(1, Math.abs(other));
          if (!(difference <= worst)) worst = difference;
        }
        expect(compared, line).toBeGreaterThan(5_000);
        expect(worst, line).toBeLessThanOrEqual(TOLERANCE);
      }
    });
  }
});
