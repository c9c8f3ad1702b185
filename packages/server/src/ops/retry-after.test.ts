import { expect, test } from 'bun:test';
import { retryAfterMs } from './retry-after.ts';

test('reads Retry-After as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  for (const invalid of ['soon', '', null, undefined]) expect(retryAfterMs(invalid, now)).toBeNull();
});
