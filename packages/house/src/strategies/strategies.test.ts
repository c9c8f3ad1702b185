import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { lookAt, mirrored, round, sideways, through } from '../bars.fixture.ts';
import { decimals } from '../market-in-ticks.ts';
import type { Idea, Look } from '../strategy.ts';
import { breakout } from './breakout.ts';
import { STRATEGIES } from './index.ts';
import { meanReversion } from './mean-reversion.ts';
import { trend } from './trend.ts';

const quiet = sideways(59);
/** Two pips beyond anything in the quiet hour. */
const up = through([...quiet, 1.1006]);
const down = mirrored(up);
/** A long fall that turns: the fast average crosses above the slow one at the last bar, and not before. */
const fall = Array.from({ length: 50 }, (_, index) => round(1.11 - index * 0.0002));
const turned = through([...fall, 1.1012, 1.1022, 1.1032, 1.1042, 1.105]);

describe('breakout', () => {
  test('buys a close above the range, at the ask, with an ATR to the stop and one and a half to the target', () => {
    const idea = breakout(lookAt(up))!;
    expect(idea).toMatchObject({ direction: 'buy', entry: 1.1007, expires_in_seconds: 1800 });
    expect(idea.note).toContain('1.1006, above the high 1.1003 of the 20');
    const [stop, target] = distances(idea);
    expect(target / stop).toBeCloseTo(1.5, 1);
  });

  test('sells a close below it, at the bid', () => {
    expect(breakout(lookAt(down))).toMatchObject({ direction: 'sell', entry: 1.0994 });
  });

  test('a high beyond the range is not a close beyond it', () => {
    const bars = [...through(quiet), { open: 1.1, high: 1.11, low: 1.0999, close: 1.1001 }];
    expect(breakout(lookAt(bars))).toBeNull();
  });

  test('a close at the edge of the range is not beyond it', () => {
    const before = through(quiet);
    const top = Math.max(...before.slice(-20).map(({ high }) => high));
    const last = { open: 1.1, high: top, low: 1.1, close: top };
    expect(breakout(lookAt([...before, last]))).toBeNull();
    const beyond = round(top + 0.00001);
    expect(breakout(lookAt([...before, { ...last, high: beyond, close: beyond }]))).not.toBeNull();
  });

  test('a single tick out of a dead calm, without a spread, still leaves three ticks to either side', () => {
    const bars = through([...Array<number>(59).fill(1.10001), 1.10002], 0);
    expect(breakout(lookAt(bars, 0))).toMatchObject({ entry: 1.10002, stop_loss: 1.09999, take_profit: 1.10005 });
  });

  test('only the last 20 minutes are the range', () => {
    const spike = through([1.2, ...quiet.slice(-30), 1.1006]);
    expect(breakout(lookAt(spike))).toMatchObject({ direction: 'buy' });
  });
});

describe('mean reversion', () => {
  test('buys below the market when the close is far under the mean, which is the target', () => {
    const look = lookAt(through([...quiet, 1.099]));
    const idea = meanReversion(look)!;
    expect(idea).toMatchObject({ direction: 'buy', expires_in_seconds: 1200 });
    // Further out than a market entry may be: a spread, or a ten-thousandth of the price.
    expect(look.quote.ask - idea.entry).toBeGreaterThan(0.00011);
    expect(idea.take_profit).toBeCloseTo(1.1, 3);
    expect(idea.note).toContain(`${idea.take_profit}, which is the target`);
  });

  test('sells above the market when it is far over it', () => {
    const look = lookAt(through([...quiet, 1.101]));
    const idea = meanReversion(look)!;
    expect(idea.direction).toBe('sell');
    expect(idea.entry - look.quote.bid).toBeGreaterThan(0.00011);
    expect(idea.take_profit).toBeCloseTo(1.1, 3);
  });

  test('holds its fire within two deviations', () => {
    expect(meanReversion(lookAt(through([...quiet, 1.1001])))).toBeNull();
  });

  test('holds its fire where the way back would not pay three spreads', () => {
    const bars = through([...quiet, 1.099]);
    expect(meanReversion(lookAt(bars, 0.0002))).not.toBeNull();
    expect(meanReversion(lookAt(bars, 0.0009))).toBeNull();
  });

  test('holds its fire where the market came back in the meantime', () => {
    const bars = through([...quiet, 1.099]);
    expect(meanReversion({ bars, quote: { bid: 1.1008, ask: 1.1009 } })).toBeNull();
  });
});

describe('trend', () => {
  test('buys above the market when the fast average crosses above the slow one, for one and a half times the risk', () => {
    const look = lookAt(turned);
    const idea = trend(look)!;
    expect(idea).toMatchObject({ direction: 'buy', expires_in_seconds: 2700 });
    expect(idea.entry - look.quote.ask).toBeGreaterThan(0.00011);
    const [stop, target] = distances(idea);
    // To the tick.
    expect(Math.abs(target - 1.5 * stop)).toBeLessThanOrEqual(0.000_11);
  });

  test('sells below the market when it crosses below', () => {
    const look = lookAt(mirrored(turned));
    const idea = trend(look)!;
    expect(idea.direction).toBe('sell');
    expect(look.quote.bid - idea.entry).toBeGreaterThan(0.00011);
  });

  test('fires at the cross only, not before it and not a minute later', () => {
    expect(trend(lookAt(turned.slice(0, -1)))).toBeNull();
    expect(trend(lookAt([...turned, ...through([1.105, 1.1054]).slice(1)]))).toBeNull();
  });
});

const all = Object.entries(STRATEGIES);
const firing: Record<keyof typeof STRATEGIES, Look> = {
  breakout: lookAt(up),
  mean_reversion: lookAt(through([...quiet, 1.099])),
  trend: lookAt(turned),
};

describe.each(all)('%s', (name, strategy) => {
  const look = firing[name as keyof typeof STRATEGIES];

  test('needs its bars', () => {
    expect(strategy(look)).not.toBeNull();
    for (const count of [0, 1, 2, 15])
      expect(strategy({ ...look, bars: look.bars.slice(look.bars.length - count) })).toBeNull();
  });

  test('sees nothing in a market that stands still', () => {
    expect(strategy(lookAt(through(Array<number>(60).fill(1.1), 0)))).toBeNull();
    expect(strategy(lookAt(through(Array<number>(60).fill(1.1))))).toBeNull();
  });

  test('says nothing about a crossed quote or prices that are none', () => {
    expect(strategy({ ...look, quote: { bid: look.quote.ask, ask: look.quote.bid } })).toBeNull();
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1.1]) {
      expect(strategy({ ...look, quote: { bid: odd, ask: odd } })).toBeNull();
      expect(
        strategy({ ...look, bars: look.bars.with(30, { open: odd, high: odd, low: odd, close: odd }) }),
      ).toBeNull();
    }
    expect(strategy({ ...look, bars: look.bars.with(30, { open: 1.1, high: 1, low: 1.2, close: 1.1 }) })).toBeNull();
  });

  test('a quote without a spread still leaves room for one', () => {
    const { bid } = look.quote;
    expectSound({ ...look, quote: { bid, ask: bid } }, strategy({ ...look, quote: { bid, ask: bid } })!);
  });

  test('whatever the market does, levels are in order, on the digits seen and three spreads apart', () => {
    let fired = 0;
    fc.assert(
      fc.property(anyLook, (any) => {
        const idea = strategy(any);
        if (idea) {
          fired++;
          expectSound(any, idea);
          expect(orderOf(any, idea)).toBe(ORDERS[name as keyof typeof STRATEGIES]);
        }
      }),
      { numRuns: 2_000, seed: 7 },
    );
    expect(fired).toBeGreaterThan(20);
  });
});

/** Random walks of every size of price, step and spread, some with a last move out of proportion. */
const anyLook: fc.Arbitrary<Look> = fc
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

/** As docs/signals.md tells the kind of an entry. */
function orderOf({ quote }: Look, { direction, entry }: Idea): string {
  const at = direction === 'buy' ? quote.ask : quote.bid;
  const beyond = direction === 'buy' ? entry - at : at - entry;
  if (Math.abs(beyond) <= Math.max(quote.ask - quote.bid, at / 10_000)) return 'market';
  return beyond < 0 ? 'limit' : 'stop';
}

function distances({ entry, stop_loss, take_profit }: Idea): [number, number] {
  return [Math.abs(entry - stop_loss), Math.abs(take_profit - entry)];
}

function expectSound({ bars, quote }: Look, idea: Idea): void {
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
