import { expect, test } from 'bun:test';
import type { StreamHealth } from '../services/stream-health.ts';
import { outageOf, outageText } from './connection-banner.tsx';

const health = (over: Partial<StreamHealth>): StreamHealth => ({
  state: 'live',
  reason: '',
  retryAt: null,
  lost: false,
  limited: false,
  ...over,
});

test('an open or first connection is no outage', () => {
  expect(outageOf(true, undefined)).toBeNull();
  expect(outageOf(true, health({}))).toBeNull();
  expect(outageOf(true, health({ state: 'connecting' }))).toBeNull();
});

test('a lost connection is an outage, unless too many tabs are open', () => {
  expect(outageOf(true, health({ state: 'connecting', lost: true }))).toBe('unreachable');
  expect(outageOf(true, health({ state: 'closed', lost: true }))).toBe('unreachable');
  expect(outageOf(true, health({ state: 'connecting', lost: true, limited: true }))).toBeNull();
  expect(outageOf(false, health({}))).toBe('offline');
});

test('says how old the prices are, with the day if it is another one', () => {
  const at = Date.UTC(2026, 2, 2, 14, 3);
  expect(outageText('offline', at, at + 60_000)).toMatch(/^Offline: prices as of \d\d:03\. /);
  expect(outageText('unreachable', at, at + 3 * 86_400_000)).toMatch(/prices as of \d+ Mar, \d\d:03\. /);
  expect(outageText('offline', null, at)).toStartWith('Offline: no prices yet.');
});
