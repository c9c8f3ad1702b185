import { describe, expect, test } from 'bun:test';
import { LongestGaps, openBetween } from './data-gaps.ts';
import { HOUR_MS } from './time.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

describe('LongestGaps', () => {
  test('counts an hour on a Wednesday, not a weekend', () => {
    const gaps = new LongestGaps('forex');
    for (const time of ['2024-01-05T21:59:59', '2024-01-07T22:00:01', '2024-01-07T22:01']) gaps.add(at(time), 0);
    expect(gaps.count).toBe(0);
    for (let time = at('2024-01-07T22:01'); time < at('2024-01-10T12:00'); time += 60_000) gaps.add(time, 0);
    gaps.add(at('2024-01-10T13:00'), 0);
    expect(gaps.longest).toEqual([
      { from: at('2024-01-10T11:59') as never, to: at('2024-01-10T13:00') as never, openMs: HOUR_MS + 60_000 },
    ]);
  });

  test('counts only the open time of a gap across a weekend', () => {
    expect(openBetween('forex', at('2024-01-05T21:00'), at('2024-01-07T23:00'))).toBe(2 * HOUR_MS);
    expect(openBetween('always', at('2024-01-05T21:00'), at('2024-01-07T23:00'))).toBe(50 * HOUR_MS);
  });

  test('does not count holidays', () => {
    expect(openBetween('forex', at('2025-12-24T22:00'), at('2025-12-25T22:00'))).toBe(0);
    expect(openBetween('us-equity', at('2026-11-25T21:00'), at('2026-11-30T14:30'))).toBe(3.5 * HOUR_MS);
  });

  test('counts a missing bar, not adjacent bars', () => {
    const gaps = new LongestGaps('always');
    for (const hour of [0, 1, 2, 5, 6]) gaps.add(hour * HOUR_MS, HOUR_MS);
    expect([gaps.count, gaps.longest[0]!.openMs]).toEqual([1, 2 * HOUR_MS]);
  });

  test('keeps the ten longest gaps, longest first, and ignores data out of order', () => {
    const gaps = new LongestGaps('always');
    let time = 1_000_000;
    for (let index = 1; index <= 30; index++) {
      time += index * HOUR_MS;
      gaps.add(time, 0);
      gaps.add(time - HOUR_MS, 0);
    }
    expect(gaps.count).toBe(29);
    expect(gaps.longest.map(({ openMs }) => openMs / HOUR_MS)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
  });
});
