import { expect, test } from 'bun:test';
import { restartsBetween } from './vwap-restart.ts';

const HOUR = 3_600_000;
const vwap = (anchor: string) => ({ name: 'vwap', inputs: { anchor } });
/** From Tuesday, 31 March 2026, 23:00 to midnight. */
const MIDNIGHT = Date.UTC(2026, 3, 1);
const restarts = (anchor: string, intervalMs = HOUR, at = MIDNIGHT): boolean =>
  restartsBetween(vwap(anchor), at - intervalMs, at, intervalMs);

test('no line joins the VWAP of two days, weeks or months', () => {
  expect(['day', 'week', 'month', 'first', '2026-01-05T00:00:00Z'].map((anchor) => restarts(anchor))).toEqual([
    ...[true, false, true, false, false],
  ]);
  expect(restarts('week', HOUR, Date.UTC(2026, 3, 6))).toBe(true);
  expect(restarts('day', HOUR, MIDNIGHT + HOUR)).toBe(false);
});

test('it stays one line where each bar would be a start', () => {
  expect(restarts('day', 24 * HOUR)).toBe(false);
  expect(restarts('month', 24 * HOUR)).toBe(true);
});

test('other indicators never break', () => {
  expect(restartsBetween({ name: 'sma', inputs: { length: 20 } }, MIDNIGHT - HOUR, MIDNIGHT, HOUR)).toBe(false);
});
