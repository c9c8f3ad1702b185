import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { barsThrough, mirrored, round, sideways, snapshotOf } from '../../testing/bars.ts';
import { breakout } from './breakout.ts';
import { STRATEGIES } from './index.ts';
import { decimals } from './market-in-ticks.ts';
import { meanReversion } from './mean-reversion.ts';
import type { MarketSnapshot, TradeIdea } from './strategy.ts';
import { trend } from './trend.ts';

const quiet = sideways(59);
/** Two pips above everything in the quiet hour. */
const up = barsThrough([...quiet, 1.1006]);
const down = mirrored(up);
/** A long fall that turns: the fast average crosses above the slow one exactly at the last bar. */
const fall = Array.from({ length: 50 }, (_, index) => round(1.11 - index * 0.0002));
const turned = barsThrough([...fall, 1.1012, 1.1022, 1.1032, 1.1042, 1.105]);

describe('breakout', () => {
  test('buys at the ask after a close above the range, with the stop at 1 ATR and the target at 1.5 ATR', () => {
    const idea = breakout(snapshotOf(up))!;
    expect(idea).toMatchObject({ direction: 'buy', entry: 1.1007, expires_in_seconds: 1800 });
    expect(idea.note).toContain('close 1.1006 is above the 20-minute high 1.1003');
    const [stop, target] = distances(idea);
    expect(target / stop).toBeCloseTo(1.5, 1);
  });

  test('sells at the bid after a close below the range', () => {
    expect(breakout(snapshotOf(down))).toMatchObject({ direction: 'sell', entry: 1.0994 });
  });

  test('ignores a high outside the range if the close is inside', () => {
    const bars = [...barsThrough(quiet), { open: 1.1, high: 1.11, low: 1.0999, close: 1.1001 }];
    expect(breakout(snapshotOf(bars))).toBeNull();
  });

  test('ignores a close exactly at the edge of the range', () => {
    const before = barsThrough(quiet);
    const top = Math.max(...before.slice(-20).map(({ high }) => high));
    const last = { open: 1.1, high: top, low: 1.1, close: top };
    expect(breakout(snapshotOf([...before, last]))).toBeNull();
    const beyond = round(top + 0.00001);
    expect(breakout(snapshotOf([...before, { ...last, high: beyond, close: beyond }]))).not.toBeNull();
  });

  test('keeps three ticks to stop and target in a flat market without a spread', () => {
    const bars = barsThrough([...Array<number>(59).fill(1.10001), 1.10002], 0);
    expect(breakout(snapshotOf(bars, 0))).toMatchObject({ entry: 1.10002, stop_loss: 1.09999, take_profit: 1.10005 });
  });

  test('uses only the last 20 minutes as the range', () => {
    const spike = barsThrough([1.2, ...quiet.slice(-30), 1.1006]);
    expect(breakout(snapshotOf(spike))).toMatchObject({ direction: 'buy' });
  });
});

describe('mean reversion', () => {
  test('buys with a limit below the market if the close is far below the mean, which is the target', () => {
    const snapshot = snapshotOf(barsThrough([...quiet, 1.099]));
    const idea = meanReversion(snapshot)!;
    expect(idea).toMatchObject({ direction: 'buy', expires_in_seconds: 1200 });
    // Outside the tolerance of a market entry: a spread, or a ten-thousandth of the price.
    expect(snapshot.quote.ask - idea.entry).toBeGreaterThan(0.00011);
    expect(idea.take_profit).toBeCloseTo(1.1, 3);
    expect(idea.note).toContain(`Target: the mean, ${idea.take_profit}`);
  });

  test('sells with a limit above the market if the close is far above the mean', () => {
    const snapshot = snapshotOf(barsThrough([...quiet, 1.101]));
    const idea = meanReversion(snapshot)!;
    expect(idea.direction).toBe('sell');
    expect(idea.entry - snapshot.quote.bid).toBeGreaterThan(0.00011);
    expect(idea.take_profit).toBeCloseTo(1.1, 3);
  });

  test('does nothing within two standard deviations', () => {
    expect(meanReversion(snapshotOf(barsThrough([...quiet, 1.1001])))).toBeNull();
  });

  test('does nothing if the distance to the mean is less than three spreads', () => {
    const bars = barsThrough([...quiet, 1.099]);
    expect(meanReversion(snapshotOf(bars, 0.0002))).not.toBeNull();
    expect(meanReversion(snapshotOf(bars, 0.0009))).toBeNull();
  });

  test('does nothing if the market has already returned to the mean', () => {
    const bars = barsThrough([...quiet, 1.099]);
    expect(meanReversion({ bars, quote: { bid: 1.1008, ask: 1.1009 } })).toBeNull();
  });
});

describe('trend', () => {
  test('buys with a stop order above the market when the fast average crosses above the slow one, with a target of 1.5 R', () => {
    const snapshot = snapshotOf(turned);
    const idea = trend(snapshot)!;
    expect(idea).toMatchObject({ direction: 'buy', expires_in_seconds: 2700 });
    expect(idea.entry - snapshot.quote.ask).toBeGreaterThan(0.00011);
    const [stop, target] = distances(idea);
    // Exact to one tick.
    expect(Math.abs(target - 1.5 * stop)).toBeLessThanOrEqual(0.000_11);
  });

  test('sells with a stop order below the market when it crosses below', () => {
    const snapshot = snapshotOf(mirrored(turned));
    const idea = trend(snapshot)!;
    expect(idea.direction).toBe('sell');
    expect(snapshot.quote.bid - idea.entry).toBeGreaterThan(0.00011);
  });

  test('proposes a trade only at the cross, not before or a minute later', () => {
    expect(trend(snapshotOf(turned.slice(0, -1)))).toBeNull();
    expect(trend(snapshotOf([...turned, ...barsThrough([1.105, 1.1054]).slice(1)]))).toBeNull();
  });
});

const all = Object.entries(STRATEGIES);
const triggering: Record<keyof typeof STRATEGIES, MarketSnapshot> = {
  breakout: snapshotOf(up),
  mean_reversion: snapshotOf(barsThrough([...quiet, 1.099])),
  trend: snapshotOf(turned),
};

describe.each(all)('%s', (name, strategy) => {
  const snapshot = triggering[name as keyof typeof STRATEGIES];

  test('needs enough bars', () => {
    expect(strategy(snapshot)).not.toBeNull();
    for (const count of [0, 1, 2, 15])
      expect(strategy({ ...snapshot, bars: snapshot.bars.slice(snapshot.bars.length - count) })).toBeNull();
  });

  test('does nothing in a flat market', () => {
    expect(strategy(snapshotOf(barsThrough(Array<number>(60).fill(1.1), 0)))).toBeNull();
    expect(strategy(snapshotOf(barsThrough(Array<number>(60).fill(1.1))))).toBeNull();
  });

  test('does nothing for a crossed quote or invalid prices', () => {
    expect(strategy({ ...snapshot, quote: { bid: snapshot.quote.ask, ask: snapshot.quote.bid } })).toBeNull();
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1.1]) {
      expect(strategy({ ...snapshot, quote: { bid: odd, ask: odd } })).toBeNull();
      expect(
        strategy({ ...snapshot, bars: snapshot.bars.with(30, { open: odd, high: odd, low: odd, close: odd }) }),
      ).toBeNull();
    }
    expect(
      strategy({ ...snapshot, bars: snapshot.bars.with(30, { open: 1.1, high: 1, low: 1.2, close: 1.1 }) }),
    ).toBeNull();
  });

  test('keeps a minimum distance for a quote without a spread', () => {
    const { bid } = snapshot.quote;
    expectValid({ ...snapshot, quote: { bid, ask: bid } }, strategy({ ...snapshot, quote: { bid, ask: bid } })!);
  });

  test("keeps levels in order, on the instrument's digits and three spreads apart in any market", () => {
    let ideas = 0;
    fc.assert(
      fc.property(anySnapshot, (any) => {
        const idea = strategy(any);
        if (idea) {
          ideas++;
          expectValid(any, idea);
          expect(orderOf(any, idea)).toBe(ORDERS[name as keyof typeof STRATEGIES]);
        }
      }),
      { numRuns: 2_000, seed: 7 },
    );
    expect(ideas).toBeGreaterThan(20);
  });
});

/** Random walks of all sizes of price, step and spread, some with an extreme last move. */
const anySnapshot: fc.Arbitrary<MarketSnapshot> = fc
  .record({
    digits: fc.integer({ min: 0, max: 8 }),
    start: fc.integer({ min: 1, max: 10_000_000 }),
    steps: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 40, maxLength: 60 }),
    size: fc.constantFrom(0, 1, 3, 40),
    last: fc.constantFrom(0, 3, -3, 10, -10),
    wick: fc.integer({ min: 0, max: 50 }),
    spread: fc.integer({ min: 0, max: 400 }),
  })
  .map(({ digits, start, steps, size, last, wick, spread }) => {
    let at = start;
    const closes = steps.map((step) => (at = Math.max(1, at + Math.trunc((step * size) / 10))));
    closes.push(Math.max(1, at + last * (size + 1) * 10));
    const scaled = (ticks: number): number => ticks / 10 ** digits;
    const bars = closes.map((close, index) => {
      const open = closes[index - 1] ?? close;
      return {
        open: scaled(open),
        high: scaled(Math.max(open, close) + wick),
        low: scaled(Math.max(1, Math.min(open, close) - wick)),
        close: scaled(close),
      };
    });
    const bid = closes.at(-1)!;
    return { bars, quote: { bid: scaled(bid), ask: scaled(bid + spread) } };
  });

const ORDERS: Record<keyof typeof STRATEGIES, string> = { breakout: 'market', mean_reversion: 'limit', trend: 'stop' };

/** The order type of an entry, by the rules of docs/reference/signals.md. */
function orderOf({ quote }: MarketSnapshot, { direction, entry }: TradeIdea): string {
  const at = direction === 'buy' ? quote.ask : quote.bid;
  const beyond = direction === 'buy' ? entry - at : at - entry;
  if (Math.abs(beyond) <= Math.max(quote.ask - quote.bid, at / 10_000)) return 'market';
  return beyond < 0 ? 'limit' : 'stop';
}

function distances({ entry, stop_loss, take_profit }: TradeIdea): [number, number] {
  return [Math.abs(entry - stop_loss), Math.abs(take_profit - entry)];
}

function expectValid({ bars, quote }: MarketSnapshot, idea: TradeIdea): void {
  const seen = [quote.bid, quote.ask, ...bars.flatMap(({ open, high, low, close }) => [open, high, low, close])];
  const digits = Math.max(...seen.map(decimals));
  const ticks = (price: number): number => Math.round(price * 10 ** digits);
  const { direction, entry, stop_loss, take_profit } = idea;
  for (const price of [entry, stop_loss, take_profit]) {
    expect(price).toBeGreaterThan(0);
    expect(decimals(price)).toBeLessThanOrEqual(digits);
  }
  const sign = direction === 'buy' ? 1 : -1;
  const nearest = 3 * Math.max(1, ticks(quote.ask) - ticks(quote.bid));
  expect(sign * (ticks(entry) - ticks(stop_loss))).toBeGreaterThanOrEqual(nearest);
  expect(sign * (ticks(take_profit) - ticks(entry))).toBeGreaterThanOrEqual(nearest);
  for (const distance of distances(idea)) expect(distance).toBeLessThanOrEqual(entry / 2 + 1e-9);
  expect(idea.expires_in_seconds).toBeWithin(20 * 60, 60 * 60 + 1);
  expect(idea.note.length).toBeWithin(1, 501);
}
