import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '@tickwire/contract/durations.ts';
import { preferences } from '../../ui/preferences.ts';
import { linesOf, timesText } from './chart-image.ts';

test('a saved image names the time zone of its axis', () => {
  const before = preferences.choices.timeZone;
  try {
    preferences.set({ timeZone: 'Asia/Tokyo' });
    const now = Date.UTC(2026, 2, 2, 14, 5, 9);
    expect(timesText(now, HOUR_MS)).toMatch(/^2 Mar 2026, 23:05:09 .+ · times in Asia\/Tokyo$/);
    expect(timesText(now, DAY_MS)).toEndWith(' · times in UTC');
  } finally {
    preferences.set({ timeZone: before });
  }
});

test('the lines of its heading are as full as the image is wide', () => {
  const widthOf = (text: string): number => text.length;
  expect(linesOf(['EMA 20', 'RSI 14', 'now'], 100, widthOf)).toEqual(['EMA 20 · RSI 14 · now']);
  expect(linesOf(['EMA 20', 'RSI 14', 'now'], 15, widthOf)).toEqual(['EMA 20 · RSI 14', 'now']);
  expect(linesOf(['a wide one', 'now'], 5, widthOf)).toEqual(['a wide one', 'now']);
});
