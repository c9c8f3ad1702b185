// The naive judge checked by hand: every expected number was worked out on paper from docs/signals.md.
import { describe, expect, test } from 'bun:test';
import { type NaiveOutcome, type NaiveRequest, naiveOutcome } from '../../../testing/signals/naive-judge.fixture.ts';
import { type NaiveEvent, naiveInTicks } from '../../../testing/signals/naive-market.fixture.ts';

const EURUSD = { digits: 5, pipSize: 0.0001 };
const NOON = Date.UTC(2026, 2, 2, 12);
const quote = (second: number, bid: number, ask: number) => ({ kind: 'quote', time: NOON + second * 1_000, bid, ask });
const trade = (second: number, price: number, side = 'sell') => ({
  kind: 'trade',
  time: NOON + second * 1_000,
  price,
  side,
});
const cut = (second: number) => ({ kind: 'disconnect', time: NOON + second * 1_000 });
const clock = (second: number) => ({ kind: 'clock', time: NOON + second * 1_000 });
const numbered = (events: readonly object[]): NaiveEvent[] =>
  naiveInTicks(
    events.map((event, at) => ({ ...event, seq: at + 1 }) as NaiveEvent),
    EURUSD.digits,
  );
const outcome = (request: NaiveRequest, events: readonly object[]) =>
  naiveOutcome(EURUSD, request, NOON, numbered(events), 0) as NaiveOutcome;

const BUY: NaiveRequest = { direction: 'buy', entry: 1.08424, stop_loss: 1.083, take_profit: 1.086 };
const STANDING = quote(0, 1.08412, 1.08424);

describe('the naive judge', () => {
  test('fills a market entry at the ask and computes from the worse of entry and fill', () => {
    // The entry is 6 ticks below the ask, so base is the fill. 1.086 − 1.08424 = 176 ticks = 17.6 pips; risk 124 ticks.
    const { order, entry_price, closing } = outcome({ ...BUY, entry: 1.08418 }, [STANDING, quote(5, 1.0861, 1.08622)]);
    expect([order, entry_price]).toEqual(['market', 1.08424]);
    expect(closing).toMatchObject({
      reason: 'take_profit',
      exit_price: 1.086,
      closed_at: NOON + 5_000,
      decided_seq: 2,
    });
    expect(closing).toMatchObject({ pnl: 17.6, pnl_percent: 0.1623, pnl_r: 1.4194 });
  });

  test('closes a stop that is gapped through at the first available price', () => {
    // 1.082 − 1.08424 = −224 ticks.
    const { closing } = outcome(BUY, [STANDING, quote(5, 1.082, 1.0823)]);
    expect(closing).toMatchObject({ reason: 'stop_loss', exit_price: 1.082, pnl: -22.4, pnl_percent: -0.2066 });
    expect(closing!.pnl_r).toBe(-1.8065);
  });

  test('uses a tolerance of 1/10,000 of the price, to the tick', () => {
    // ⌊108424 / 10000⌋ = 10 ticks; the spread of 12 is greater.
    const orders = [12, 13, -12, -13].map((off) => outcome({ ...BUY, entry: (108_424 + off) / 1e5 }, [STANDING]).order);
    expect(orders).toEqual(['market', 'stop', 'market', 'limit']);
  });

  test('rejects by the first rule that is broken', () => {
    const refusals = [
      { ...BUY, stop_loss: 1.085 },
      { ...BUY, entry: 1.31, take_profit: 1.4, stop_loss: 1.3 },
      { ...BUY, take_profit: 1.08435 },
      { ...BUY, stop_loss: 1.08412 },
    ].map((request) => naiveOutcome(EURUSD, request, NOON, numbered([STANDING]), 0));
    expect(refusals).toEqual([{ refused: 2 }, { refused: 3 }, { refused: 4 }, { refused: 5 }]);
  });

  test('expires at the deadline, at the quote before it', () => {
    const events = [STANDING, quote(5, 1.084, 1.08412), quote(10, 1.09, 1.0901)];
    const { closing } = outcome({ ...BUY, expires_at: NOON + 10_000 }, events);
    expect(closing).toMatchObject({ reason: 'expired', exit_price: 1.084, closed_at: NOON + 10_000, decided_seq: 2 });
    expect(closing!.pnl).toBe(-2.4);
  });

  test('lets one quote fill and stop out a pending entry', () => {
    const limit = { ...BUY, entry: 1.083, stop_loss: 1.082 };
    const { entry_price, filled_seq, closing } = outcome(limit, [STANDING, quote(5, 1.0819, 1.0829)]);
    expect([entry_price, filled_seq]).toEqual([1.083, 2]);
    expect(closing).toMatchObject({ reason: 'stop_loss', exit_price: 1.0819, pnl: -11, pnl_r: -1.1 });
  });

  test('lets trades judge only while the source is disconnected', () => {
    const { closing } = outcome(BUY, [STANDING, trade(1, 1.0825), cut(2), trade(3, 1.0829)]);
    expect(closing).toMatchObject({ reason: 'stop_loss', exit_price: 1.0829, closed_at: NOON + 3_000, decided_seq: 4 });
  });

  test('expires nothing while the source is disconnected, then expires at the last missed trade', () => {
    const expiring = { ...BUY, expires_at: NOON + 10_000 };
    const story = [STANDING, cut(2), trade(3, 1.0839), clock(20)];
    expect(outcome(expiring, story).closing).toBeNull();
    // A sell hits the bid at 1.0839, 34 ticks below the fill. A buy at 1.0839 leaves the bid 12 ticks below that.
    const over = [{ kind: 'backfilled', time: NOON + 21_000 }, clock(22)];
    expect(outcome(expiring, [...story, ...over]).closing).toMatchObject({ reason: 'expired', decided: 3, pnl: -3.4 });
    const bought = [STANDING, cut(2), trade(3, 1.0839, 'buy'), ...over];
    expect(outcome(expiring, bought).closing).toMatchObject({ reason: 'expired', exit_price: 1.08378, pnl: -4.6 });
  });

  test('rejects signals while the market is not live', () => {
    const at = (events: readonly object[]) => naiveOutcome(EURUSD, BUY, NOON, numbered(events), events.length - 1);
    const back = { kind: 'backfilled', time: NOON + 4_000 };
    expect(at([STANDING, cut(2)])).toEqual({ refused: 1 });
    expect(at([STANDING, cut(2), trade(3, 1.084), back])).toEqual({ refused: 1 });
    expect(at([STANDING, cut(2), back])).toMatchObject({ order: 'market' });
  });

  test('attaches a gap between the quote and the publication', () => {
    const gap = { kind: 'gap', from: NOON + 1_000, to: NOON + 2_000 };
    const events = [STANDING, gap, quote(5, 1.082, 1.0823)];
    const published = naiveOutcome(EURUSD, BUY, NOON + 3_000, numbered(events), 1) as NaiveOutcome;
    expect(published.closing!.gap).toEqual({ from: NOON + 1_000, to: NOON + 2_000 });
  });

  test('counts the stop if a bar reaches both levels, and reports the best case', () => {
    const prices = { open: 1.084, high: 1.0861, low: 1.0829, close: 1.085 };
    const { closing } = outcome(BUY, [STANDING, { kind: 'bar', time: NOON + 60_000, ...prices }]);
    expect(closing).toMatchObject({ reason: 'stop_loss', exit_price: 1.083, closed_at: NOON + 120_000 });
    expect(closing).toMatchObject({ pnl: -12.4, pnl_r: -1, pnl_best: 17.6 });
  });
});
