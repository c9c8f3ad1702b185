import { expect, test } from 'bun:test';
import { asEpochMs } from '../market/time.ts';
import { type FollowedSignal, followerResult } from './follower.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const at = (second: number) => asEpochMs(NOON + second * 1_000);
/** A market that rises by one tick a second, with a spread of 2. */
const rising = (time: number) => ({ bid: 1_000 + (time - NOON) / 1_000, ask: 1_002 + (time - NOON) / 1_000 });
const signal: FollowedSignal = {
  direction: 'buy',
  entry: 1_000,
  stopLoss: 950,
  filledAt: at(0),
  exits: [
    { fraction: 5_000, at: at(10) },
    { fraction: 5_000, at: at(30) },
  ],
};

test('a follower pays the spread and gets the prices of a later time', () => {
  expect(followerResult(signal, 5_000, rising)).toEqual({
    entryPrice: 1_007,
    exits: [
      { fraction: 5_000, price: 1_015 },
      { fraction: 5_000, price: 1_035 },
    ],
    // (8 + 28) / 2 / 50
    pnlR: 0.36,
  });
});

test('a follower of a sell enters at the bid and leaves at the ask', () => {
  const sell: FollowedSignal = { ...signal, direction: 'sell', stopLoss: 1_050 };
  expect(followerResult(sell, 1_000, rising)).toMatchObject({ entryPrice: 1_001, pnlR: -0.44 });
});

test('without a quote after an exit the result is unknown', () => {
  expect(followerResult(signal, 1_000, (time) => (time > at(20) ? null : rising(time)))).toBeNull();
});
