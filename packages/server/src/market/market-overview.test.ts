// The day of instruments and their sparklines, from bars.
import { describe, expect, test } from 'bun:test';
import { OverviewItem } from '@tickwire/contract';
import { asEpochMs, CATALOGUE, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { tickEvents } from '../../testing/market-events.fixture.ts';

import { MarketOverview } from './market-overview.ts';
import { MarketView } from './market-view.ts';

const MONDAY = Date.UTC(2026, 2, 2);
const EURUSD = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const QUARTER = 15 * MINUTE_MS;

class Market {
  readonly view = new MarketView(CATALOGUE);
  readonly overview = new MarketOverview(this.view);

  quote(time: number, bid: number): void {
    const [tick] = tickEvents(1);
    this.view.replay([{ ...tick!, symbol: 'EURUSD' as MarketSymbol, time: asEpochMs(time), bid, ask: bid + 0.0002 }]);
  }

  clock(time: number): void {
    this.view.replay([{ kind: 'clock', time: asEpochMs(time) }]);
  }

  at(now: number): OverviewItem {
    return OverviewItem.parse(JSON.parse(this.overview.of(EURUSD, now)));
  }
}

describe('the overview of an instrument', () => {
  test('has nothing before the first price', () => {
    expect(new Market().at(MONDAY)).toEqual({
      symbol: 'EURUSD',
      time: null,
      day_open: null,
      day_high: null,
      day_low: null,
      last: null,
      change: null,
      change_percent: null,
      sparkline: [],
    });
  });

  test('has the UTC day with its forming bar, and closed bars of 24 hours without gaps', () => {
    const market = new Market();
    market.quote(MONDAY - 20 * 60 * MINUTE_MS, 1.05);
    market.quote(MONDAY - QUARTER, 1.2);
    market.quote(MONDAY + MINUTE_MS, 1.1);
    market.quote(MONDAY + 2 * MINUTE_MS, 1.12);
    market.quote(MONDAY + 3 * QUARTER + 1, 1.09);
    market.quote(MONDAY + 4 * QUARTER + 1, 1.11);
    expect(market.at(MONDAY + 4 * QUARTER + 5)).toEqual({
      symbol: 'EURUSD',
      time: new Date(MONDAY + 4 * QUARTER + 1).toISOString(),
      day_open: 1.1,
      day_high: 1.12,
      day_low: 1.09,
      last: 1.11,
      change: 0.01,
      change_percent: 0.9091,
      sparkline: [1.05, 1.2, 1.12, 1.09],
    });
    market.quote(MONDAY + 4 * QUARTER + 10, 1.08);
    expect(market.at(MONDAY + 4 * QUARTER + 20)).toMatchObject({ day_low: 1.08, last: 1.08, change: -0.02 });
    // Four hours later, the oldest bar has left the last 24 hours.
    market.clock(MONDAY + 5 * QUARTER);
    expect(market.at(MONDAY + 19 * QUARTER).sparkline).toEqual([1.2, 1.12, 1.09, 1.08]);
  });

  test('has no day, but the last price, after midnight without a price', () => {
    const market = new Market();
    market.quote(MONDAY + DAY_MS - MINUTE_MS, 1.1);
    market.clock(MONDAY + DAY_MS);
    expect(market.at(MONDAY + DAY_MS + 1)).toMatchObject({ last: 1.1, day_open: null, change: null, sparkline: [1.1] });
    expect(market.at(MONDAY + 3 * DAY_MS)).toMatchObject({ last: 1.1, sparkline: [] });
  });

  test('has at most 96 numbers, each bar once', () => {
    const market = new Market();
    for (let step = 0; step < 200; step++) market.quote(MONDAY + step * QUARTER, 1 + step / 1_000);
    const { sparkline } = market.at(MONDAY + 199 * QUARTER + 5);
    expect(sparkline).toHaveLength(96);
    expect(sparkline[0]).toBe(1.103);
    expect(sparkline.at(-1)).toBe(1.198);
  });

  test('follows a late price that amends a closed bar', () => {
    const market = new Market();
    market.quote(MONDAY + 14 * MINUTE_MS, 1.1);
    market.quote(MONDAY + QUARTER + MINUTE_MS, 1.11);
    expect(market.at(MONDAY + QUARTER + 2 * MINUTE_MS)).toMatchObject({ day_high: 1.11, sparkline: [1.1] });
    market.quote(MONDAY + 14 * MINUTE_MS + 30_000, 1.13);
    expect(market.at(MONDAY + QUARTER + 2 * MINUTE_MS)).toMatchObject({ day_high: 1.13, sparkline: [1.13] });
  });
});
