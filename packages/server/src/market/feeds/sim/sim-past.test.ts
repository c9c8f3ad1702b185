import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  DAY_MS,
  fitsDigits,
  isMarketOpen,
  type MarketSymbol,
  MINUTE_MS,
  roundSize,
} from '@tickwire/engine';
import fc from 'fast-check';
import { buildModel } from './model.ts';
import { simHistory, simMinutes } from './sim-history.ts';
import { SimMarket } from './sim-market.ts';
import { PAST_BEGINS, SimPast } from './sim-past.ts';

const OPTIONS = { seed: 7, rate: 50 };
const PASTS = {
  always: new SimPast(CATALOGUE, { ...OPTIONS, hours: 'always' }),
  real: new SimPast(CATALOGUE, { ...OPTIONS, hours: 'real' }),
};
const WHOLE = { from: 0, to: Number.MAX_SAFE_INTEGER };
const EURUSD = asSymbol('EURUSD');
const BTCUSD = asSymbol('BTCUSD');

const anyHours = fc.constantFrom('always' as const, 'real' as const);
const anySpec = fc.constantFrom(...CATALOGUE);
const anyDay = fc
  .integer({ min: PAST_BEGINS / DAY_MS, max: Date.UTC(2026, 5, 1) / DAY_MS })
  .map((day): number => day * DAY_MS);

const barsOfDay = (past: SimPast, ...day: Parameters<SimPast['barsOfDay']>): Bar[] =>
  [...past.barsOfDay(...day)].flat();
const daysOf = (past: SimPast, symbol: MarketSymbol, timeframe: Timeframe, from: number, days: number): Bar[] =>
  Array.from({ length: days }, (_, at) => barsOfDay(past, symbol, from + at * DAY_MS, timeframe, WHOLE)).flat();

/** Sums of volumes differ in their last digits, depending on the order. */
const exact = (bar: Bar): Bar => {
  const size = (value: number): number => Math.round(value * 1e5) / 1e5;
  return { ...bar, volume: size(bar.volume), bidVolume: size(bar.bidVolume), askVolume: size(bar.askVolume) };
};

describe('simulated past', () => {
  test('bars of all timeframes are aggregates of the minutes', () => {
    fc.assert(
      fc.property(anyHours, anySpec, anyDay, (hours, { symbol }, day) => {
        const past = PASTS[hours];
        const minutes = barsOfDay(past, symbol, day, '1m', WHOLE);
        for (const timeframe of TIMEFRAMES) {
          const length = TIMEFRAME_MS[timeframe];
          const groups = Map.groupBy(minutes, ({ time }) => time - (time % length));
          const expected = [...groups].map(([start, inside]) => aggregateBars(start, inside)!);
          expect(barsOfDay(past, symbol, day, timeframe, WHOLE).map(exact)).toEqual(expected.map(exact));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('there is a minute for each minute in which the market is open, and no other', () => {
    fc.assert(
      fc.property(anySpec, anyDay, ({ symbol, hours }, day) => {
        const open = Array.from({ length: 1440 }, (_, at) => asEpochMs(day + at * MINUTE_MS)).filter((time) =>
          isMarketOpen(hours, time),
        );
        expect(barsOfDay(PASTS.real, symbol, day, '1m', WHOLE).map(({ time }) => time)).toEqual(open);
      }),
      { numRuns: 40 },
    );
    // Christmas 2023 was a Monday.
    expect(
      barsOfDay(PASTS.real, EURUSD, Date.UTC(2023, 11, 25), '1m', { from: 0, to: Date.UTC(2023, 11, 25, 21) }),
    ).toEqual([]);
    expect(barsOfDay(PASTS.real, asSymbol('US500'), Date.UTC(2024, 2, 29), '1d', WHOLE)).toEqual([]);
  });

  test('bars are valid: prices within low and high, volume the sum of both sides, valid digits', () => {
    fc.assert(
      fc.property(anyHours, anySpec, anyDay, (hours, { symbol, digits }, day) => {
        for (const bar of barsOfDay(PASTS[hours], symbol, day, '1m', WHOLE)) {
          const { open, high, low, close, volume, bidVolume, askVolume } = bar;
          const isValid =
            low > 0 &&
            low <= Math.min(open, close) &&
            high >= Math.max(open, close) &&
            volume > 0 &&
            bidVolume >= 0 &&
            askVolume >= 0 &&
            roundSize(bidVolume + askVolume) === volume &&
            [open, high, low, close].every((price) => fitsDigits(price, digits));
          if (!isValid) expect(bar).toBeNull();
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a part of a day has the same bars as the whole day, whatever was read before', () => {
    const anyPlace = fc.integer({ min: 0, max: DAY_MS });
    fc.assert(
      fc.property(
        anyHours,
        anySpec,
        anyDay,
        fc.constantFrom(...TIMEFRAMES),
        anyPlace,
        anyPlace,
        (hours, { symbol }, day, timeframe, one, other) => {
          const range = { from: day + Math.min(one, other), to: day + Math.max(one, other) };
          const part = barsOfDay(PASTS[hours], symbol, day, timeframe, range);
          barsOfDay(PASTS[hours], BTCUSD, day - 5 * DAY_MS, '5m', WHOLE);
          const whole = barsOfDay(PASTS[hours], symbol, day, timeframe, WHOLE);
          expect(part).toEqual(whole.filter(({ time }) => time >= range.from && time <= range.to));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('days continue those of the history of a new store, and their minutes end where the history begins', () => {
    const until = asEpochMs(Date.UTC(2026, 4, 6, 13, 37));
    const market = new SimMarket(CATALOGUE, { ...OPTIONS, hours: 'always' });
    for (const { symbol, timeframe, bars } of simHistory(market, until)) {
      if (timeframe !== '1d') continue;
      // The oldest days are drawn directly, as in the past.
      for (const bar of bars.slice(0, 20))
        expect(barsOfDay(PASTS.always, symbol, bar.time, '1d', WHOLE)).toEqual([bar]);
      const last = barsOfDay(PASTS.always, symbol, bars[0]!.time - DAY_MS, '1m', WHOLE).at(-1)!;
      const { spreadTicks, tickScale } = market.model.instruments.find(({ spec }) => spec.symbol === symbol)!;
      expect(Math.abs(last.close - bars[0]!.open)).toBeLessThanOrEqual((spreadTicks + 1.01) / tickScale);
    }
  });

  test('the same seed gives the same bytes on every machine', () => {
    const hash = new Bun.CryptoHasher('sha256');
    for (const { symbol } of CATALOGUE)
      for (const timeframe of TIMEFRAMES)
        hash.update(JSON.stringify(daysOf(PASTS.real, symbol, timeframe, Date.UTC(2021, 2, 4), 2)));
    expect(hash.digest('hex')).toBe('e9d572e585f19ff140e25ad235424abc7d7e6db9d1cf82f9b1c30a29608d6193');
  });
});

describe('statistics of the simulated past', () => {
  const rms = (values: readonly number[]): number =>
    Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  const returns = (bars: readonly Bar[]): number[] => bars.map(({ open, close }) => Math.log(close / open));
  const from = Date.UTC(2022, 2, 1);

  test.each(['EURUSD', 'BTCUSD', 'XAUUSD', 'US500', 'NATGAS'].map(asSymbol))(
    'minutes of %s move as much as those of the live generator',
    (symbol) => {
      const spec = CATALOGUE.filter((each) => each.symbol === symbol);
      const market = new SimMarket(spec, { ...OPTIONS, hours: 'always' });
      const days = 20;
      const [live] = [...simMinutes(market, asEpochMs(from), asEpochMs(from + days * DAY_MS))];
      const past = daysOf(PASTS.always, symbol, '1m', from, days);
      expect(past.length).toBe(live!.bars.length);
      expect(rms(returns(past)) / rms(returns(live!.bars))).toBeWithin(0.8, 1.25);
      const ranges = (bars: readonly Bar[]): number[] => bars.map(({ high, low, open }) => (high - low) / open);
      expect(rms(ranges(past)) / rms(ranges(live!.bars))).toBeWithin(0.8, 1.25);
      const spread = buildModel(CATALOGUE, { ...OPTIONS, hours: 'always' }).instruments.find(
        (each) => each.spec.symbol === symbol,
      )!;
      // The rare larger steps come from fitting minutes into the range of a longer bar.
      const usual = (2 * spread.spreadTicks + 2) / spread.tickScale;
      const steps = past.slice(1).map(({ open }, at) => Math.abs(open - past[at]!.close));
      expect(steps.filter((step) => step >= usual).length).toBeLessThan(past.length / 10_000);
    },
  );

  test('days have the volatility of the table, and prices stay within a plausible range for 26 years', () => {
    const { instruments } = buildModel(CATALOGUE, { ...OPTIONS, hours: 'always' });
    for (const { spec, unitVol } of instruments.filter((_, at) => at % 5 === 0)) {
      const days = daysOf(PASTS.always, spec.symbol, '1d', PAST_BEGINS, 26 * 365);
      const daily = unitVol * Math.sqrt(DAY_MS / 125);
      expect(rms(returns(days)) / daily).toBeWithin(0.9, 1.1);
      const [low, high] = [Math.min(...days.map((bar) => bar.low)), Math.max(...days.map((bar) => bar.high))];
      // About seven daily deviations around the base price, and never beyond six times that.
      expect(Math.log(high / low)).toBeLessThan(2 * 6 * 7 * daily);
      for (let at = 365; at <= days.length; at += 365) {
        const year = days.slice(at - 365, at);
        const range = Math.log(Math.max(...year.map((bar) => bar.high)) / Math.min(...year.map((bar) => bar.low)));
        expect(range).toBeGreaterThan(5 * daily);
      }
    }
  });

  test('a year of minutes is computed with little work, days with hardly any', () => {
    // The least of several runs: the first ones are interpreted, and garbage of earlier tests may be collected in any.
    const cpu = (work: () => void): number => {
      const runs = Array.from({ length: 4 }, () => {
        const before = process.cpuUsage();
        work();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      });
      return Math.min(...runs);
    };
    const years = 5 * 365;
    const minutes = cpu(() => daysOf(PASTS.always, EURUSD, '1m', from, 30)) / 30;
    const hours = cpu(() => daysOf(PASTS.always, EURUSD, '1h', from, 200)) / 200;
    const days = cpu(() => daysOf(PASTS.always, EURUSD, '1d', from - years * DAY_MS, years)) / years;
    console.log(
      `simulated past, a day: ${minutes.toFixed(2)} ms of minutes, ${hours.toFixed(3)} ms of hours, ${days.toFixed(4)} ms`,
    );
    expect(hours).toBeLessThan(minutes / 3);
    expect(days).toBeLessThan(minutes / 50);
  });
});
