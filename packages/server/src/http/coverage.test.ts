import { describe, expect, test } from 'bun:test';
import type { CoverageQuery } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { MarketView } from '../market/market-view.ts';
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

function ask(minutes: readonly number[], watched: { from: number; to: number }[], query: Partial<CoverageQuery> = {}) {
  const store = {
    bars: async () => minutes.map((minute) => bar(FRIDAY + minute * MINUTE_MS)),
    watched: async () => watched,
  };
  const options = { store, view: new MarketView(CATALOGUE), simulated: false, alwaysOpen: false };
  const whole = { timeframe: '1m' as const, from: FRIDAY, to: FRIDAY + 70 * MINUTE_MS, before: undefined, ...query };
  return coverageOf(options, EURUSD, whole, FRIDAY + DAY_MS);
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
});
