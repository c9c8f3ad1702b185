import { describe, expect, test } from 'bun:test';
import { type CoverageQuery, iso } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { MarketView } from '../market/market-view.ts';
import type { BarRange, Fetched } from '../store/store.ts';
import { coverageOf } from './coverage.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === asSymbol('EURUSD'))!;
/** A Friday, an hour before the forex week ends. */
const FRIDAY = Date.UTC(2026, 0, 9, 21);

const bar = (time: number): Bar => ({
  time: asEpochMs(time),
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  bidVolume: 0,
  askVolume: 1,
  basis: 'trade',
});

const VENUE = new Set([EURUSD.symbol]);

function ask(
  minutes: readonly number[],
  watched: { from: number; to: number }[],
  query: Partial<CoverageQuery> = {},
  venueSymbols: ReadonlySet<MarketSymbol> = VENUE,
  fetched: Fetched[] = [],
) {
  const store = {
    bars: async ({ timeframe }: BarRange) =>
      timeframe === '1m' ? minutes.map((minute) => bar(FRIDAY + minute * MINUTE_MS)) : [],
    watched: async () => watched,
    fetched: async () => fetched,
  };
  const options = { store, view: new MarketView(CATALOGUE), simulated: false, alwaysOpen: false, venueSymbols };
  const whole = { timeframe: '1m' as const, from: FRIDAY, to: FRIDAY + 70 * MINUTE_MS, before: undefined, ...query };
  return coverageOf(options, EURUSD, whole, Math.max(FRIDAY, whole.to ?? 0) + DAY_MS);
}

describe('coverage', () => {
  test('gives the reason of each absence: nothing traded, not recorded, or market closed', async () => {
    const there = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => ![10, 11, 30].includes(minute));
    const response = await ask(there, [{ from: FRIDAY, to: FRIDAY + 20 * MINUTE_MS }]);
    expect(response.bars).toBe(57);
    expect(response.absent.map(({ from, bars, reason }) => [from.slice(11, 16), bars, reason])).toEqual([
      ['21:10', 2, 'no_trades'],
      ['21:30', 1, 'missing'],
      ['22:00', 10, 'market_closed'],
    ]);
  });

  test('reports an empty range as one entry, and rejects a range that is too long', async () => {
    const response = await ask([], [], { to: FRIDAY + 30 * MINUTE_MS });
    expect(response.absent).toHaveLength(1);
    expect(response.absent[0]).toMatchObject({ bars: 30, reason: 'missing' });
    await expect(ask([], [], { from: 0 })).rejects.toThrow('50000 bars');
  });

  test('lists what was fetched: nothing traded in a fetched minute without a bar, and hours say nothing of minutes', async () => {
    const [from, middle, to] = [FRIDAY, FRIDAY + 20 * MINUTE_MS, FRIDAY + 40 * MINUTE_MS];
    const fetched = [
      { timeframe: '1m' as const, from: from - DAY_MS, to: middle },
      { timeframe: '1h' as const, from, to },
    ];
    const response = await ask([0, 25], [], { to }, VENUE, fetched);
    expect(response.absent.map(({ bars, reason }) => [bars, reason])).toEqual([
      [19, 'no_trades'],
      [5, 'missing'],
      [14, 'missing'],
    ]);
    expect(response.fetched).toEqual([{ from: iso(from), to: iso(middle) }]);
  });

  test('calls nothing missing that no live venue delivers', async () => {
    const pushed = await ask([0, 1], [], { to: FRIDAY + 5 * MINUTE_MS }, new Set());
    expect(pushed.absent).toMatchObject([{ bars: 3, reason: 'not_recorded' }]);
  });

  test('knows holidays: Christmas is not missing', async () => {
    const christmas = { from: Date.UTC(2025, 11, 24, 21), to: Date.UTC(2025, 11, 25, 23) };
    const { absent } = await ask([], [], { timeframe: '1h', ...christmas });
    expect(absent.map(({ from, bars, reason }) => [from.slice(0, 13), bars, reason])).toEqual([
      ['2025-12-24T21', 1, 'missing'],
      ['2025-12-24T22', 24, 'market_closed'],
      ['2025-12-25T22', 1, 'missing'],
    ]);
  });
});

describe('reasons agree with longer bars:', () => {
  const HOUR = 60 * MINUTE_MS;
  const NOON = Date.UTC(2026, 0, 7, 12);
  interface Stored {
    readonly minutes?: readonly number[];
    readonly hours?: readonly (readonly [hour: number, volume: number])[];
    readonly days?: readonly (readonly [day: number, volume: number])[];
    readonly simulated?: boolean;
  }
  /** Minutes are counted from noon, hours from noon, days from the day of noon. Each minute has a volume of 1. */
  async function reasons({ minutes = [], hours = [], days = [], simulated = true }: Stored, from: number, to: number) {
    const midnight = NOON - 12 * HOUR;
    const all: Partial<Record<string, Bar[]>> = {
      '1m': minutes.map((minute) => bar(NOON + minute * MINUTE_MS)),
      '1h': hours.map(([hour, volume]) => ({ ...bar(NOON + hour * HOUR), volume })),
      '1d': days.map(([day, volume]) => ({ ...bar(midnight + day * DAY_MS), volume })),
    };
    const store = {
      bars: async (range: BarRange) =>
        (all[range.timeframe] ?? []).filter(({ time }) => time >= range.from && time <= range.to).slice(0, range.limit),
      watched: async () => [{ from: 0, to: NOON + DAY_MS }],
      fetched: async () => [],
    };
    const options = { store, view: new MarketView(CATALOGUE), simulated, alwaysOpen: true, venueSymbols: VENUE };
    const query = { timeframe: '1m' as const, from: NOON + from * MINUTE_MS, to: NOON + to * MINUTE_MS };
    const { absent } = await coverageOf(options, EURUSD, query, NOON + DAY_MS);
    return absent.map(({ bars, reason }) => [bars, reason]);
  }

  test('years before history begins are not a quiet market', async () => {
    expect(await reasons({ minutes: [0, 1, 2] }, -30, 3)).toEqual([[30, 'before_history']]);
    // The first day has a bar from 00:00 on, but its first minute came at noon.
    expect(await reasons({ minutes: [0, 1], days: [[0, 2]] }, -30, 2)).toEqual([[30, 'before_history']]);
    expect(
      await reasons(
        {
          minutes: [0],
          days: [
            [-1, 500],
            [0, 1],
          ],
        },
        -721,
        1,
      ),
    ).toEqual([
      [1, 'not_recorded'],
      [720, 'no_trades'],
    ]);
  });

  test('minutes that were never generated are not recorded, and a quiet minute has no trades', async () => {
    const older = {
      hours: [
        [-1, 60],
        [0, 3],
      ],
      minutes: [0, 1, 3],
    } as const;
    expect(await reasons(older, -60, 5)).toEqual([
      [60, 'not_recorded'],
      [1, 'no_trades'],
      [1, 'no_trades'],
    ]);
    // The hour has more volume than its minutes.
    expect(
      await reasons(
        {
          hours: [
            [-1, 60],
            [0, 60],
          ],
          minutes: [30, 31],
        },
        0,
        32,
      ),
    ).toEqual([[30, 'not_recorded']]);
  });

  test('of a real source too: imported hours without minutes', async () => {
    const imported = {
      hours: [
        [-1, 60],
        [0, 2],
      ],
      minutes: [0, 1],
      simulated: false,
    } as const;
    expect(await reasons(imported, -60, 3)).toEqual([
      [60, 'not_recorded'],
      [1, 'no_trades'],
    ]);
  });
});
