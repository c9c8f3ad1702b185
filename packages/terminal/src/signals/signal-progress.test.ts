import { expect, test } from 'bun:test';
import type { ActiveSignal } from '@tickwire/client';
import { type OrderState, progressOf, stateText } from './signal-progress.ts';

const SIGNAL: ActiveSignal = {
  id: 'sig_1',
  user: 'goldsmith',
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.1,
  stop_loss: 1.099,
  take_profit: 1.104,
  status: 'active',
  timestamp: '2026-03-02T10:00:00.000Z',
};
const OPEN: OrderState = {
  order: 'market',
  entry_price: 1.1,
  targets: [
    { price: 1.101, fraction: 0.5 },
    { price: 1.104, fraction: 0.5 },
  ],
  exits: [],
  current_stop_loss: 1.099,
  close_requested_at: null,
};
const exit = { target: 1, price: 1.101, fraction: 0.5, exited_at: '2026-03-02T10:05:00.000Z' };
const MARKET = { bid: 1.1005, ask: 1.1006, digits: 5, pipSize: 0.0001, unit: 'pips' as const };

test('an open signal is measured to its next target and to the stop in force', () => {
  expect(progressOf(SIGNAL, OPEN, MARKET, 'pips')).toMatchObject({
    figure: '+0.50 R',
    detail: '15.0 pips to stop · 5.0 to target 1',
  });
  const partly = { ...OPEN, exits: [exit], current_stop_loss: 1.1 };
  // Half of it exited at +1 R, the rest stands at +0.5 R.
  expect(progressOf(SIGNAL, partly, MARKET, 'pips')).toMatchObject({
    figure: '+0.75 R',
    detail: '5.0 pips to stop · 35.0 to target 2',
  });
});

test('a pending signal has no result, and one that is not known has none yet', () => {
  expect(progressOf(SIGNAL, { ...OPEN, entry_price: null }, MARKET, 'pips')).toMatchObject({
    figure: 'Pending',
    pending: true,
  });
  expect(progressOf(SIGNAL, undefined, MARKET, 'pips')).toMatchObject({
    figure: '–',
    detail: '15.0 pips to stop · 35.0 to target',
  });
});

test('has a short word for each state', () => {
  const closing = { ...OPEN, close_requested_at: '2026-03-02T10:06:00.000Z' };
  expect([undefined, { ...OPEN, entry_price: null }, OPEN, { ...OPEN, exits: [exit] }, closing].map(stateText)).toEqual(
    ['', 'Pending market', 'Filled', 'Target 1/2 hit', 'Closing'],
  );
});
