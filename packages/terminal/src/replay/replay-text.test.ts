import { expect, test } from 'bun:test';
import type { ReplaySession } from '@tickwire/client';
import { isEmpty, problemText, type ReplayCondition } from './replay-text.ts';

const [FROM, NOON, TO] = ['2026-03-02T00:00:00.000Z', '2026-03-02T12:00:00.000Z', '2026-03-03T00:00:00.000Z'];
const sources: ReplaySession['sources'] = [
  { symbol: 'EURUSD', from: FROM, to: NOON, source: 'bars' },
  { symbol: 'EURUSD', from: NOON, to: TO, source: 'ticks' },
  { symbol: 'BTCUSD', from: FROM, to: TO, source: 'ticks' },
];
const prices = { state: 'live', reason: '', retryAt: null, lost: false, limited: false } as const;
const textOf = (changes: Partial<ReplayCondition> = {}) =>
  problemText({
    session: { sources, state: 'playing' },
    time: Date.parse('2026-03-02T13:00:00Z'),
    prices,
    isSlow: false,
    ...changes,
  });

test('there is nothing to say about recorded ticks', () => {
  expect(textOf()).toBeNull();
});

test('says which instruments are played from bars, or not at all', () => {
  expect(textOf({ time: Date.parse('2026-03-02T11:00:00Z') })).toStartWith('EURUSD: no recorded ticks here');
  const gap: ReplaySession['sources'] = [{ symbol: 'EURUSD', from: FROM, to: TO, source: 'none' }];
  expect(textOf({ session: { sources: gap, state: 'playing' } })).toBe('Nothing is recorded here for EURUSD.');
});

test('says why the replay stands still', () => {
  expect(textOf({ prices: { ...prices, state: 'connecting', limited: true } })).toContain('Close another tab');
  expect(textOf({ prices: { ...prices, state: 'connecting', lost: true } })).toContain('connection is lost');
  expect(textOf({ prices: { ...prices, state: 'closed', reason: 'no' } })).toContain('closed: no');
  expect(textOf({ session: { sources, state: 'ended' } })).toContain('end of its range');
  expect(textOf({ isSlow: true })).toContain('limit of your tier');
});

test('a replay without any record is empty', () => {
  expect(isEmpty({ sources })).toBe(false);
  expect(isEmpty({ sources: sources.map((each) => ({ ...each, source: 'none' as const })) })).toBe(true);
});
