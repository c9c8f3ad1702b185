import { describe, expect, test } from 'bun:test';
import type { HistoryTrade, OrderFlowTick } from '@tickwire/client';
import fc from 'fast-check';
import { KEPT_TRADES, largeSizeOf, type Print, TAPE_LENGTH, Tape } from './tape.ts';

const tick = (time: number, bid: number, ask: number, more: Partial<OrderFlowTick> = {}): OrderFlowTick => ({
  symbol: 'BTCUSD',
  bid_volume: bid,
  ask_volume: ask,
  delta: ask - bid,
  cumulative_delta: 0,
  price: 100 + time,
  time,
  imbalance: 0,
  absorption: null,
  ...more,
});
/** The trade at a position: one per second. */
const live = (seq: number): OrderFlowTick => tick(seq, 0, 1, { seq, prev: seq - 1 });
const recorded = (seq: number): HistoryTrade => ({
  time: new Date(seq * 1_000).toISOString(),
  price: 100 + seq,
  size: 1,
  side: 'buy',
  side_method: null,
  id: null,
  seq,
});
const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const seqs = (tape: Tape) => tape.prints.map(({ seq }) => seq);

test('a print has the total size of its message and the side of the larger taker volume', () => {
  const tape = new Tape();
  tape.add(tick(1, 2, 0));
  tape.add(tick(2, 1, 3, { time_ms: 2_250 }));
  expect(tape.drain()).toEqual([
    { seq: null, time: 1_000, price: 101, size: 2, side: 'sell' },
    { seq: null, time: 2_250, price: 102, size: 4, side: 'buy' },
  ]);
  expect(tape.drain()).toEqual([]);
});

test('the initial state of a subscription is not a print', () => {
  const tape = new Tape();
  tape.add(tick(1, 0, 0));
  expect(tape.drain()).toEqual([]);
});

test('sums the delta of each second, and a clock that steps back loses nothing', () => {
  const tape = new Tape();
  tape.add(tick(100, 0, 3));
  tape.add(tick(100, 1, 0));
  expect(tape.secondDelta).toBe(2);
  tape.add(tick(99, 0, 4));
  expect(tape.secondDelta).toBe(6);
  tape.add(tick(101, 5, 0));
  expect(tape.secondDelta).toBe(-5);
});

test('keeps a bounded number of prints, the newest ones, and shows fewer', () => {
  const tape = new Tape();
  for (let time = 1; time <= 10_000; time++) tape.add(tick(time, 0, 1));
  expect(tape.prints.length).toBeLessThan(2 * KEPT_TRADES);
  const shown = tape.latest(0);
  expect(shown).toHaveLength(TAPE_LENGTH);
  expect(shown.at(-1)?.time).toBe(10_000_000);
  expect(shown[0]?.time).toBe((10_001 - TAPE_LENGTH) * 1_000);
});

test('a filter by size finds smaller numbers of larger trades', () => {
  const tape = new Tape();
  for (let time = 1; time <= 100; time++) tape.add(tick(time, 0, time % 10 === 0 ? 5 : 1));
  expect(tape.latest(5).map(({ time }) => time / 1_000)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
});

describe('recorded and live trades', () => {
  test('are joined without doubles, whichever comes first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 40 }), fc.nat(40), (first, more, when) => {
        const last = first + more;
        const tape = new Tape();
        // The subscription begins after trade `first`; the page has everything up to some later one.
        tape.add(tick(first, 0, 0, { seq: first, prev: first - 1 }));
        const before = Math.min(last, first + when);
        for (const seq of span(first + 1, before)) tape.add(live(seq));
        tape.backfill(span(1, last).map(recorded));
        for (const seq of span(before + 1, last + 3)) tape.add(live(seq));
        expect(seqs(tape)).toEqual(span(1, last + 3));
        expect(tape.hasGap).toBe(false);
      }),
    );
  });

  test('a page from before the subscription leaves a gap, until it is loaded again', () => {
    const tape = new Tape();
    tape.backfill(span(1, 5).map(recorded));
    expect(tape.hasGap).toBe(false);
    tape.add(tick(8, 0, 0, { seq: 8, prev: 7 }));
    tape.add(live(9));
    expect(tape.hasGap).toBe(true);
    tape.backfill(span(1, 9).map(recorded));
    expect(tape.hasGap).toBe(false);
    expect(seqs(tape)).toEqual(span(1, 9));
  });

  test('a gap of the stream is noticed by the position of the message before', () => {
    const tape = new Tape();
    tape.backfill(span(1, 5).map(recorded));
    tape.add(live(6));
    expect(tape.hasGap).toBe(false);
    tape.add(live(10));
    expect(tape.hasGap).toBe(true);
    tape.backfill(span(3, 10).map(recorded));
    expect([tape.hasGap, seqs(tape)]).toEqual([false, span(3, 10)]);
  });

  test('trades that the service no longer has are not requested for ever', () => {
    const tape = new Tape();
    tape.add(tick(8, 0, 0, { seq: 8, prev: 7 }));
    tape.backfill([]);
    expect(tape.hasGap).toBe(true);
    tape.backfill([]);
    expect(tape.hasGap).toBe(false);
  });

  test('without positions, live trades after the recorded ones are kept', () => {
    const tape = new Tape();
    for (const time of span(4, 6)) tape.add(tick(time, 0, 1));
    tape.backfill(span(1, 5).map(recorded));
    expect(tape.prints.map(({ time }) => time / 1_000)).toEqual(span(1, 6));
  });
});

describe('a large trade', () => {
  const prints = (sizes: readonly number[]): Print[] =>
    sizes.map((size, time) => ({ seq: null, time, price: 1, size, side: 'buy' }));

  test('is larger than 98 of 100 recent ones', () => {
    expect(largeSizeOf(prints(span(1, 100)))).toBe(153);
    expect(largeSizeOf(prints([...span(1, 97).map(() => 1), 10, 20, 30]))).toBe(20);
  });

  test('is at least three times the median, so that equal trades are not large', () => {
    expect(largeSizeOf(prints(span(1, 100).map(() => 2)))).toBe(6);
  });

  test('is not known from a few trades', () => {
    expect(largeSizeOf(prints(span(1, 49)))).toBeNull();
  });
});
