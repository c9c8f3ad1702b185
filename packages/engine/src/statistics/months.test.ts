import { expect, test } from 'bun:test';
import { asEpochMs } from '../market/time.ts';
import { monthOf, monthsOf } from './months.ts';

const at = (day: string) => asEpochMs(Date.parse(`${day}T00:00:00Z`));

test('sums R by UTC month and compounds the percentage', () => {
  const decisions = [
    { completedAt: asEpochMs(at('2026-04-01') - 1), units: 20_000 },
    { completedAt: at('2026-04-01'), units: 10_000 },
    { completedAt: at('2026-04-30'), units: -15_000 },
    // The last closing record is not always the latest closing.
    { completedAt: at('2026-03-31'), units: 10_000 },
  ];
  // 1.04 · 1.02 and 1.02 · 0.97
  expect(monthsOf(decisions, 2)).toEqual([
    { month: '2026-03', decisions: 2, r: 3, percent: 6.08 },
    { month: '2026-04', decisions: 2, r: -0.5, percent: -1.06 },
  ]);
  expect(monthsOf([{ completedAt: at('2026-03-31'), units: -30_000 }], 50)).toEqual([
    { month: '2026-03', decisions: 1, r: -3, percent: -100 },
  ]);
  expect(monthsOf([], 1)).toEqual([]);
});

test('knows the month of every day from 1970 to 2400', () => {
  for (let day = 0; day < 157_000; day++) {
    const time = day * 86_400_000;
    if (monthOf(asEpochMs(time)) !== new Date(time).toISOString().slice(0, 7)) throw new Error(String(day));
  }
  expect(monthOf(asEpochMs(at('2024-03-01') - 1))).toBe('2024-02');
});
