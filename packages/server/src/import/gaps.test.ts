import { describe, expect, test } from 'bun:test';
import { GapFinder, openBetween } from './gaps.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const HOUR = 3_600_000;

describe('gaps', () => {
  test('a weekend is none, an hour on a Wednesday is one', () => {
    const gaps = new GapFinder('forex');
    for (const time of ['2024-01-05T21:59:59', '2024-01-07T22:00:01', '2024-01-07T22:01']) gaps.seen(at(time), 0);
    expect(gaps.count).toBe(0);
    for (let time = at('2024-01-07T22:01'); time < at('2024-01-10T12:00'); time += 60_000) gaps.seen(time, 0);
    gaps.seen(at('2024-01-10T13:00'), 0);
    expect(gaps.longest).toEqual([
      { from: at('2024-01-10T11:59') as never, to: at('2024-01-10T13:00') as never, openMs: HOUR + 60_000 },
    ]);
  });

  test('only the open part of one across a weekend counts', () => {
    expect(openBetween('forex', at('2024-01-05T21:00'), at('2024-01-07T23:00'))).toBe(2 * HOUR);
    expect(openBetween('always', at('2024-01-05T21:00'), at('2024-01-07T23:00'))).toBe(50 * HOUR);
  });

  test('bars that touch leave none, and a missing bar is one', () => {
    const gaps = new GapFinder('always');
    for (const hour of [0, 1, 2, 5, 6]) gaps.seen(hour * HOUR, HOUR);
    expect([gaps.count, gaps.longest[0]!.openMs]).toEqual([1, 2 * HOUR]);
  });

  test('the ten longest are kept, the longest first; what comes late opens none', () => {
    const gaps = new GapFinder('always');
    let time = 1_000_000;
    for (let index = 1; index <= 30; index++) {
      time += index * HOUR;
      gaps.seen(time, 0);
      gaps.seen(time - HOUR, 0);
    }
    expect(gaps.count).toBe(29);
    expect(gaps.longest.map(({ openMs }) => openMs / HOUR)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
  });
});
