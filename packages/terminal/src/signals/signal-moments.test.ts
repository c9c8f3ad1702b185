import { expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { momentsOf } from './signal-moments.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 10, minute)).toISOString();
const active = {
  ...{ status: 'active', timestamp: at(0), filled_at: null, entry_price: null, exits: [] },
} as unknown as SignalDetail;

test('a pending signal was published, and nothing more', () => {
  expect(momentsOf(active)).toEqual([{ kind: 'published', text: 'Published', at: Date.parse(at(0)), price: null }]);
});

test('the last exit is derived from the mean of all exits', () => {
  const closed = {
    ...{ ...active, status: 'closed', filled_at: at(1), entry_price: 100, closed_at: at(9) },
    ...{ close_reason: 'stop_loss', exit_price: 101 },
    exits: [
      { target: 1, fraction: 0.25, price: 104, exited_at: at(3) },
      { target: 2, fraction: 0.25, price: 106, exited_at: at(5) },
    ],
  } as unknown as SignalDetail;
  // 0.25 × 104 + 0.25 × 106 + 0.5 × 97 = 101
  expect(momentsOf(closed).map(({ kind, text, price }) => [kind, text, price])).toEqual([
    ['published', 'Published', null],
    ['filled', 'Filled', 100],
    ['exit', 'Target 1 hit', 104],
    ['exit', 'Target 2 hit', 106],
    ['closed', 'Stopped out', 97],
  ]);
});

test('a signal that was never filled closed without a price', () => {
  const unfilled = { ...active, status: 'closed', closed_at: at(9), close_reason: 'unfilled', exit_price: null };
  expect(momentsOf(unfilled as unknown as SignalDetail).at(-1)).toEqual({
    ...{ kind: 'closed', text: 'Not filled', at: Date.parse(at(9)), price: null },
  });
});
