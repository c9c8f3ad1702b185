// Bars of a store with simulated markets and of the past that is computed, read in any way, now and later.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  DAY_MS,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import fc from 'fast-check';
import { temporaryFolder } from '../../../../testing/service.fixture.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import type { BarRow, Store } from '../../../store/store.ts';
import { keepPastSettings } from './past-settings.ts';
import { SimBarSource } from './sim-bar-source.ts';
import { simHistory, simMinutes } from './sim-history.ts';
import { SimMarket } from './sim-market.ts';
import { PAST_BEGINS } from './sim-past.ts';

const EURUSD = asSymbol('EURUSD');
const BTCUSD = asSymbol('BTCUSD');
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === EURUSD || symbol === BTCUSD);
/** A Wednesday. */
const UNTIL = asEpochMs(Date.UTC(2026, 4, 6, 13, 37));
const OPTIONS = { seed: 3, rate: 5, hours: 'real' as const };

interface Opened {
  readonly folder: string;
  readonly store: Store;
  readonly source: SimBarSource;
}
const opened: Opened[] = [];
let now: Opened;
let dayLater: Opened;

beforeAll(async () => {
  now = await open(UNTIL);
  dayLater = await open(UNTIL, DAY_MS);
});
afterAll(async () => {
  for (const { store, folder } of opened) {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A store as the first start leaves it, after which the service ran for `later` milliseconds. */
async function open(until: number, later = 0, hasSettings = true): Promise<Opened> {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  const market = new SimMarket(INSTRUMENTS, OPTIONS);
  const bars: BarRow[] = [];
  for (const { symbol, timeframe, bars: list } of simHistory(market, asEpochMs(until)))
    for (const bar of list) bars.push({ symbol, timeframe, ...bar });
  const end = until + later;
  for (const { symbol, bars: minutes } of simMinutes(market, asEpochMs(until), asEpochMs(end))) {
    const served = bars
      .filter((bar) => bar.symbol === symbol && bar.timeframe === '1m')
      .concat(minutes.map((bar) => ({ symbol, timeframe: '1m', ...bar })));
    for (const timeframe of TIMEFRAMES) {
      const length = TIMEFRAME_MS[timeframe];
      const closed = Map.groupBy(served, ({ time }) => time - (time % length));
      for (const [start, inside] of closed)
        if (start + length > until && start + length <= end && start >= served[0]!.time)
          bars.push({ symbol, timeframe, ...aggregateBars(start, inside)! });
    }
  }
  await store.market.write({ bars, prices: [], barsUntil: end });
  await store.market.setNumber('sim_seed', OPTIONS.seed);
  if (hasSettings) await keepPastSettings(store.market, INSTRUMENTS, OPTIONS);
  const source = new SimBarSource({ store: store.market, instruments: INSTRUMENTS, now: () => end });
  opened.push({ folder, store, source });
  return opened.at(-1)!;
}

const all = (source: SimBarSource, symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number) =>
  source.bars({ symbol, timeframe, from, to, limit: 1_000_000, first: 'oldest' });

const anySymbol = fc.constantFrom(EURUSD, BTCUSD);
const anyTimeframe = fc.constantFrom(...TIMEFRAMES);
/** Stored bars begin with 1m in the last 9 hours and end with 1d 520 days ago: most times are near the borders. */
const anyTime = fc
  .oneof(
    fc.integer({ min: 0, max: 3 * DAY_MS }),
    fc.integer({ min: 0, max: 30 * DAY_MS }),
    fc.integer({ min: 0, max: 900 * DAY_MS }),
    fc.integer({ min: 0, max: UNTIL - PAST_BEGINS }),
  )
  .map((ago): number => UNTIL - ago);

/** Sums of volumes differ in their last digits, depending on the order. */
const exact = (bar: Bar): Bar => {
  const size = (value: number): number => Math.round(value * 1e5) / 1e5;
  return { ...bar, volume: size(bar.volume), bidVolume: size(bar.bidVolume), askVolume: size(bar.askVolume) };
};

describe('bars of the store and the computed past', () => {
  test('stored bars are returned as they are', async () => {
    for (const { symbol } of INSTRUMENTS)
      for (const timeframe of TIMEFRAMES) {
        const range = { symbol, timeframe, from: 0, to: UNTIL, limit: 1_000_000, first: 'oldest' as const };
        const stored = await now.store.market.bars(range);
        const found = new Map(
          (await all(now.source, symbol, timeframe, stored[0]!.time, UNTIL)).map((bar) => [bar.time, bar]),
        );
        expect(stored.length).toBeGreaterThan(500);
        for (const bar of stored) expect(found.get(bar.time)).toEqual(bar);
      }
  });

  test('longer bars are aggregates of the minutes over any span', async () => {
    const anySpan = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(anySymbol, anyTimeframe, anyTime, anySpan, async (symbol, timeframe, time, days) => {
        const from = Math.floor(time / DAY_MS) * DAY_MS;
        const to = from + days * DAY_MS;
        const length = TIMEFRAME_MS[timeframe];
        const bars = await all(now.source, symbol, timeframe, from, to - 1);
        const minutes = await all(now.source, symbol, '1m', from, to - 1);
        const groups = Map.groupBy(minutes, (bar) => bar.time - (bar.time % length));
        const expected = [...groups]
          .filter(([start]) => start + length <= UNTIL)
          .map(([start, inside]) => aggregateBars(start, inside)!);
        expect(bars.map(exact)).toEqual(expected.map(exact));
      }),
      { numRuns: 35 },
    );
  });

  test('pages of any size, forwards and backwards, give the same bars as one reading', async () => {
    const anyRange = fc.tuple(
      anySymbol,
      anyTimeframe,
      anyTime,
      fc.integer({ min: 1, max: 700 }),
      fc.integer({ min: 20, max: 400 }),
    );
    await fc.assert(
      fc.asyncProperty(anyRange, fc.boolean(), async ([symbol, timeframe, from, bars, limit], forwards) => {
        const to = Math.min(UNTIL, from + bars * TIMEFRAME_MS[timeframe]);
        const whole = await all(now.source, symbol, timeframe, from, to);
        const walked: Bar[] = [];
        const first = forwards ? ('oldest' as const) : ('newest' as const);
        for (let rest = { from, to }; ; ) {
          const page = await now.source.bars({ symbol, timeframe, ...rest, limit, first });
          walked.splice(forwards ? walked.length : 0, 0, ...page);
          if (page.length < limit) break;
          rest = forwards ? { from: page.at(-1)!.time + 1, to } : { from, to: page[0]!.time - 1 };
        }
        expect(walked).toEqual(whole);
      }),
      { numRuns: 80 },
    );
  });

  test('are the same in another process, and when a day has passed', async () => {
    const restarted = new SimBarSource({ store: now.store.market, instruments: CATALOGUE, now: () => UNTIL });
    await fc.assert(
      fc.asyncProperty(anySymbol, anyTimeframe, anyTime, async (symbol, timeframe, from) => {
        const length = TIMEFRAME_MS[timeframe];
        const to = Math.min(UNTIL - length, from + 200 * length);
        const bars = await all(now.source, symbol, timeframe, from, to);
        expect(await all(restarted, symbol, timeframe, from, to)).toEqual(bars);
        expect(await all(dayLater.source, symbol, timeframe, from, to)).toEqual(bars);
      }),
      { numRuns: 60 },
    );
  });

  test('have no jump where computed bars meet stored ones', async () => {
    for (const symbol of [EURUSD, BTCUSD]) {
      const spec = INSTRUMENTS.find((each) => each.symbol === symbol)!;
      const { spreadTicks, tickScale } = new SimMarket(INSTRUMENTS, OPTIONS).model.instruments.find(
        (each) => each.spec === spec,
      )!;
      const borders: number[] = [];
      for (const timeframe of TIMEFRAMES) {
        const range = { symbol, timeframe, from: 0, to: UNTIL, limit: 1, first: 'oldest' as const };
        borders.push((await now.store.market.bars(range))[0]!.time);
      }
      for (const border of borders) {
        const bars = await all(now.source, symbol, '1m', border - 3 * HOUR_MS, border + HOUR_MS);
        for (let at = 1; at < bars.length; at++) {
          if (bars[at]!.time - bars[at - 1]!.time !== MINUTE_MS) continue;
          const jump = Math.abs(bars[at]!.open - bars[at - 1]!.close);
          expect(jump).toBeLessThan((2 * spreadTicks + 2) / tickScale);
        }
      }
    }
  });

  test('begin with the year 2000', async () => {
    for (const timeframe of TIMEFRAMES) {
      const [bar] = await now.source.bars({ symbol: BTCUSD, timeframe, from: 0, to: UNTIL, limit: 1, first: 'oldest' });
      expect(bar!.time).toBe(asEpochMs(PAST_BEGINS));
      expect(await all(now.source, BTCUSD, timeframe, 0, PAST_BEGINS - 1)).toEqual([]);
    }
  });

  test('storedFrom() is the start of the first stored bar, where files begin by default', async () => {
    const range = { symbol: EURUSD, timeframe: '1d', from: 0, to: UNTIL, limit: 1, first: 'oldest' as const };
    const [first] = await now.store.market.bars(range);
    expect(await now.source.storedFrom(EURUSD)).toBe(first!.time);
    expect(await now.source.storedFrom(asSymbol('GBPUSD'))).toBeNull();
  });

  test('do not change with settings, instruments or rate of a later start', async () => {
    const bars = await all(now.source, EURUSD, '1h', Date.UTC(2020, 1, 1), Date.UTC(2020, 1, 9));
    await keepPastSettings(now.store.market, CATALOGUE, { ...OPTIONS, rate: 900, hours: 'always' });
    const later = new SimBarSource({ store: now.store.market, instruments: CATALOGUE, now: () => UNTIL });
    expect(await all(later, EURUSD, '1h', Date.UTC(2020, 1, 1), Date.UTC(2020, 1, 9))).toEqual(bars);
  });

  test('of a store without settings, or of other series, are those of the store', async () => {
    const former = await open(UNTIL, 0, false);
    const stored = await all(former.source, EURUSD, '1d', 0, UNTIL);
    expect(stored.length).toBeWithin(520, 530);
    // After the first start of this version.
    await keepPastSettings(former.store.market, INSTRUMENTS, OPTIONS);
    expect((await all(former.source, EURUSD, '1d', 0, UNTIL)).slice(-stored.length)).toEqual(stored);
    expect(
      await now.source.bars({ symbol: EURUSD, timeframe: '1w@ny', from: 0, to: UNTIL, limit: 9, first: 'oldest' }),
    ).toEqual([]);
  });

  test('let other work run while many are computed', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await all(now.source, BTCUSD, '1m', Date.UTC(2010, 0, 1), Date.UTC(2010, 1, 15));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
