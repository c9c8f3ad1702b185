import { expect, test } from 'bun:test';
import type { OrderFlowTick } from '@tickwire/client';
import { TAPE_LENGTH, Tape } from './tape.ts';

const tick = (time: number, bid: number, ask: number): OrderFlowTick => ({
  symbol: 'BTCUSD',
  bid_volume: bid,
  ask_volume: ask,
  delta: ask - bid,
  cumulative_delta: 0,
  price: 100 + time,
  time,
  imbalance: 0,
  absorption: null,
});

test('a print has the total size of its message and the side of the larger taker volume', () => {
  const tape = new Tape();
  tape.add(tick(1, 2, 0));
  tape.add(tick(2, 1, 3));
  expect(tape.drain()).toEqual([
    { time: 1, price: 101, size: 2, side: 'sell' },
    { time: 2, price: 102, size: 4, side: 'buy' },
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

test('keeps a bounded number of prints, the newest ones', () => {
  const tape = new Tape();
  for (let time = 1; time <= 10_000; time++) tape.add(tick(time, 0, 1));
  const prints = tape.drain();
  expect(prints).toHaveLength(TAPE_LENGTH);
  expect(prints.at(-1)?.time).toBe(10_000);
  expect(prints[0]?.time).toBe(10_001 - TAPE_LENGTH);
});
