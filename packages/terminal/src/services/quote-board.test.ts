import { expect, test } from 'bun:test';
import type { Instrument } from '@tickwire/client';
import { dayChange, QuoteBoard } from './quote-board.ts';

const START = Date.parse('2024-05-12T08:00:00Z');

const instrument = (symbol: string): Instrument => ({
  symbol,
  name: symbol,
  type: 'forex',
  pip_size: 0.0001,
  contract_size: 100_000,
  margin_rate: 0.03,
  min_lot: 0.01,
  max_lot: 100,
});

function board() {
  const frames: (() => void)[] = [];
  const clock = { ms: START };
  const schedule = (run: () => void): void => void frames.push(run);
  const made = new QuoteBoard([instrument('EURUSD'), instrument('GBPUSD')], schedule, () => clock.ms);
  const heard: string[][] = [];
  const end = new AbortController();
  made.onChange((changed) => heard.push([...changed]), end.signal);
  const frame = () => {
    for (const run of frames.splice(0)) run();
  };
  return { board: made, heard, frame, clock, end };
}

test('reports changed rows once per frame, however many ticks arrive', () => {
  const { board: quotes, heard, frame } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  quotes.quote({ symbol: 'EURUSD', bid: 1.2, ask: 1.2001, spread: 0.0001 });
  quotes.quote({ symbol: 'GBPUSD', bid: 1.3, ask: 1.3001, spread: 0.0001 });
  expect(heard).toEqual([]);
  frame();
  expect(heard).toEqual([['EURUSD', 'GBPUSD']]);
  expect(quotes.row('EURUSD')?.bid).toBe(1.2);
});

test('ignores a repeated quote and an unknown symbol', () => {
  const { board: quotes, heard, frame } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  frame();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  quotes.quote({ symbol: 'NOSUCH', bid: 1, ask: 1, spread: 0 });
  frame();
  expect(heard).toHaveLength(1);
});

test('does not notify removed listeners', () => {
  const { board: quotes, heard, frame, end } = board();
  end.abort();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  frame();
  expect(heard).toEqual([]);
});

test('digits start at the pip size and only grow', () => {
  const { board: quotes } = board();
  expect(quotes.row('EURUSD')?.digits).toBe(4);
  quotes.quote({ symbol: 'EURUSD', bid: 1.08345, ask: 1.0835, spread: 0.00005 });
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.2, spread: 0.1 });
  expect(quotes.row('EURUSD')?.digits).toBe(5);
});

test("the day's change is unknown until the open is", () => {
  const { board: quotes } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  expect(dayChange(quotes.row('EURUSD')!)).toBeNull();
  quotes.setDay('EURUSD', { open: 1, high: 1.2, low: 0.9 });
  expect(dayChange(quotes.row('EURUSD')!)).toBeCloseTo(0.1);
});

test('a bid outside the day range widens it', () => {
  const { board: quotes } = board();
  quotes.setDay('EURUSD', { open: 1, high: 1.2, low: 0.9 });
  quotes.quote({ symbol: 'EURUSD', bid: 1.25, ask: 1.26, spread: 0.01 });
  expect(quotes.row('EURUSD')?.day).toEqual({ open: 1, high: 1.25, low: 0.9 });
  quotes.quote({ symbol: 'EURUSD', bid: 0.8, ask: 0.81, spread: 0.01 });
  expect(quotes.row('EURUSD')?.day).toEqual({ open: 1, high: 1.25, low: 0.8 });
});

test('a repeated quote resets its age', () => {
  const { board: quotes, clock } = board();
  expect([quotes.ageMs('EURUSD'), quotes.newestAgeMs]).toEqual([null, null]);
  const tick = { symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 };
  quotes.quote({ ...tick, time: START / 1_000 });
  clock.ms += 14_000;
  expect([quotes.ageMs('EURUSD'), quotes.newestAgeMs]).toEqual([14_000, 14_000]);
  quotes.quote({ ...tick, time: clock.ms / 1_000 });
  expect(quotes.ageMs('EURUSD')).toBe(0);
});

test('the first quote of a stream is as old as its timestamp', () => {
  const { board: quotes, clock } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001, time: START / 1_000 - 60 });
  expect(quotes.ageMs('EURUSD')).toBe(60_000 - 999);
  clock.ms += 1_000;
  quotes.quote({ symbol: 'GBPUSD', bid: 1.3, ask: 1.31, spread: 0.01, timestamp: new Date(START).toISOString() });
  expect([quotes.ageMs('GBPUSD'), quotes.newestAgeMs]).toEqual([1_000, 1_000]);
});

test('corrects ages by the time of the service', () => {
  for (const aheadMs of [180_000, -180_000]) {
    const { board: quotes } = board();
    const serviceMs = START - aheadMs;
    quotes.setServiceTime(serviceMs);
    quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001, time: serviceMs / 1_000 - 20 });
    expect(quotes.ageMs('EURUSD')).toBe(20_000 - 999);
  }
});
