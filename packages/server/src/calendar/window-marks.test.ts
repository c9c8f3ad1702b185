import { expect, test } from 'bun:test';
import type { CalendarEvent } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { CALENDAR_MONDAY, calendarEvent } from '../../testing/calendar.fixture.ts';
import { WindowMarks } from './window-marks.ts';

const at = (minute: number): number => CALENDAR_MONDAY + minute * MINUTE_MS;
const iso = (minute: number): string => new Date(at(minute)).toISOString();

async function marksOf(
  revisions: readonly CalendarEvent[],
  announced: readonly CalendarEvent[] = [],
): Promise<WindowMarks> {
  const marks = new WindowMarks({ store: { highImpactRevisions: async () => [...revisions] }, except: 'hidden' });
  await marks.load();
  for (const event of announced) marks.add(event);
  return marks;
}
const signal = (filled: number | null, closed: number, symbol = 'EURUSD') => ({
  symbol,
  filledAt: filled === null ? null : at(filled),
  closedAt: at(closed),
});

test('a signal is marked if its entry or exit was inside a window, to the second', async () => {
  const marks = await marksOf([calendarEvent('a', 100)]);
  const inside = (filled: number, closed: number) => marks.of(signal(filled, closed))!;
  expect(inside(98, 200)).toMatchObject({ inside: true, entry: [{ id: 'a', revision: 1, time: iso(100) }], exit: [] });
  expect(inside(50, 101.99)).toMatchObject({ inside: true, entry: [], exit: [{ id: 'a' }] });
  expect(inside(98 - 1 / 60, 102)).toEqual({ inside: false, entry: [], exit: [] });
  expect(marks.of(signal(null, 100))).toBeNull();
  expect(marks.of(signal(100, 200, 'EURGBP'))!.inside).toBe(false);
});

test('the revision that was known when the signal closed counts', async () => {
  const moved = calendarEvent('a', 300, { revision: 2, status: 'moved', updated_at: iso(90) });
  const back = calendarEvent('a', 100, { revision: 3, status: 'moved', updated_at: iso(400) });
  const marks = await marksOf([calendarEvent('a', 100), moved], [back, back]);
  expect(marks.of(signal(100, 200))!.inside).toBe(false);
  expect(marks.of(signal(40, 80))!.inside).toBe(false);
  expect(marks.of(signal(300, 350))).toMatchObject({ entry: [{ id: 'a', revision: 2 }] });
  expect(marks.of(signal(100, 450))).toMatchObject({ entry: [{ id: 'a', revision: 3 }] });
  expect(marks.of(signal(300, 450))!.inside).toBe(false);
});

test('an event that became known after the closing does not mark it, nor one that was cancelled, all-day or of less impact', async () => {
  const marks = await marksOf([
    calendarEvent('late', 100, { updated_at: iso(120) }),
    calendarEvent('cancelled', 100, { status: 'cancelled' }),
    calendarEvent('day', 100, { all_day: true }),
    calendarEvent('low', 100, { impact: 'low' }),
    calendarEvent('hidden', 100, { source: 'hidden' }),
  ]);
  expect(marks.of(signal(100, 119))!.inside).toBe(false);
  expect(marks.of(signal(100, 120))).toMatchObject({ entry: [{ id: 'late' }] });
});
