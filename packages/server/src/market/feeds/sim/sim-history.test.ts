import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type Bar, CATALOGUE, DAY_MS, fitsDigits, isMarketOpen, roundSize } from '@tickwire/engine';
import { type SimBars, simHistory, simMinutes } from './sim-history.ts';
import { SimMarket } from './sim-market.ts';

const UNTIL = asEpochMs(Date.parse('2026-05-06T13:37:00Z'));
const market = (hours: 'always' | 'real'): SimMarket => new SimMarket(CATALOGUE, { seed: 7, rate: 50, hours });
const barsOf = (history: readonly SimBars[], symbol: string, timeframe: Timeframe): Bar[] =>
  history.find((each) => each.symbol === symbol && each.timeframe === timeframe)!.bars;

describe.each(['always', 'real'] as const)('simulated history with %s hours', (hours) => {
  const sim = market(hours);
  const begun = performance.now();
  const history = [...simHistory(sim, UNTIL)];
  console.log(`simulated history, ${hours} hours: ${(performance.now() - begun).toFixed(0)} ms`);

  test('has at least 520 closed bars of each timeframe and instrument, ascending on the grid', () => {
    expect(history.length).toBe(CATALOGUE.length * TIMEFRAMES.length);
    for (const { timeframe, bars } of history) {
      const length = TIMEFRAME_MS[timeframe];
      expect(bars.length).toBeGreaterThanOrEqual(520);
      expect(bars.every((bar, at) => bar.time % length === 0 && (at === 0 || bar.time > bars[at - 1]!.time))).toBe(
        true,
      );
      expect(bars.at(-1)!.time + length).toBeLessThanOrEqual(UNTIL);
    }
  });

  test('ends with the last closed bar of each timeframe if the market was open', () => {
    for (const timeframe of TIMEFRAMES) {
      const length = TIMEFRAME_MS[timeframe];
      const last = asEpochMs(Math.floor(UNTIL / length) * length - length);
      expect(barsOf(history, 'BTCUSD', timeframe).at(-1)!.time).toBe(last);
    }
  });

  test('has valid bars: prices within low and high, volume the sum of both sides, valid digits', () => {
    const digits = new Map(CATALOGUE.map((spec) => [spec.symbol, spec.digits]));
    for (const { symbol, bars } of history)
      for (const bar of bars) {
        const { open, high, low, close, volume, bidVolume, askVolume } = bar;
        const whole =
          low <= Math.min(open, close) &&
          high >= Math.max(open, close) &&
          low > 0 &&
          volume > 0 &&
          bidVolume >= 0 &&
          askVolume >= 0 &&
          roundSize(bidVolume + askVolume) === volume &&
          [open, high, low, close].every((price) => fitsDigits(price, digits.get(symbol)!));
        if (!whole) expect(bar).toBeNull();
      }
  });

  test('aggregates longer bars from the shorter ones', () => {
    for (const { symbol } of CATALOGUE)
      for (const [place, timeframe] of TIMEFRAMES.slice(1).entries()) {
        const shorter = barsOf(history, symbol, TIMEFRAMES[place]!);
        const length = TIMEFRAME_MS[timeframe];
        // The shorter bars start together with a longer one, so no longer bar is covered only in part.
        expect(hours === 'real' || shorter[0]!.time % length === 0).toBe(true);
        for (const bar of barsOf(history, symbol, timeframe)) {
          if (bar.time + length <= shorter[0]!.time) continue;
          const under = shorter.filter((each) => each.time >= bar.time && each.time < bar.time + length);
          const aggregate: Bar = {
            time: bar.time,
            open: under[0]!.open,
            high: Math.max(...under.map((each) => each.high)),
            low: Math.min(...under.map((each) => each.low)),
            close: under.at(-1)!.close,
            volume: roundSize(under.reduce((sum, each) => sum + each.volume, 0)),
            bidVolume: roundSize(under.reduce((sum, each) => sum + each.bidVolume, 0)),
            askVolume: roundSize(under.reduce((sum, each) => sum + each.askVolume, 0)),
            basis: 'trade',
          };
          expect(bar).toEqual(aggregate);
        }
      }
  });

  test('joins each bar to the previous one and the last close to the first live quotes', () => {
    const live = sim.collect(UNTIL, asEpochMs(UNTIL + 10_000));
    for (const { spec, unitVol, spreadTicks } of sim.model.instruments) {
      const minutes = barsOf(history, spec.symbol, '1m');
      const first = live.find((event) => event.kind === 'quote' && event.symbol === spec.symbol);
      const spread = spreadTicks / 10 ** spec.digits;
      const close = minutes.at(-1)!.close;
      // Ten seconds of an active market, and two spreads.
      const reach = close * unitVol * Math.sqrt(80) * 6 + 2 * spread;
      if (first?.kind === 'quote') expect(Math.abs((first.bid + first.ask) / 2 - close)).toBeLessThan(reach);
      for (let at = 1; at < minutes.length; at++) {
        if (minutes[at]!.time !== minutes[at - 1]!.time + 60_000) continue;
        expect(Math.abs(minutes[at]!.open - minutes[at - 1]!.close)).toBeLessThanOrEqual(
          spread + 10 ** -spec.digits * 1.01,
        );
      }
    }
  });
});

test('has no bar in closed hours with real hours', () => {
  const history = [...simHistory(market('real'), UNTIL)];
  for (const { symbol, hours } of CATALOGUE)
    for (const bar of barsOf(history, symbol, '1m')) expect(isMarketOpen(hours, bar.time)).toBe(true);
  const days = barsOf(history, 'EURUSD', '1d').map((bar) => Math.floor(bar.time / DAY_MS + 4) % 7);
  expect(days.includes(6)).toBe(false);
});

test.each(['always', 'real'] as const)('simMinutes() gives the minutes of the history, with %s hours', (hours) => {
  const history = [...simHistory(market(hours), UNTIL)];
  const from = asEpochMs(UNTIL - 7_000_000);
  for (const { symbol, bars } of simMinutes(market(hours), from, asEpochMs(UNTIL - 59_999)))
    expect(bars).toEqual(barsOf(history, symbol, '1m').filter((bar) => bar.time >= from && bar.time < UNTIL - 60_000));
});

test('gives the same history whatever was read before', () => {
  const sim = market('always');
  sim.collect(UNTIL, asEpochMs(UNTIL + 5000));
  expect([...simHistory(sim, UNTIL)]).toEqual([...simHistory(market('always'), UNTIL)]);
});
