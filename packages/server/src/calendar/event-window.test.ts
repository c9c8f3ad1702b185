import { describe, expect, test } from 'bun:test';
import type { CalendarEvent } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { CALENDAR_MONDAY, calendarEvent } from '../../testing/calendar.fixture.ts';
import { isInside, windowAt } from './event-window.ts';

const seconds = fc.integer({ min: 0, max: 6 * 3_600 });
const minutes = fc.integer({ min: 0, max: 30 });
const anEvent = fc
  .record({
    second: seconds,
    all_day: fc.boolean(),
    status: fc.constantFrom('scheduled', 'moved', 'released', 'cancelled' as const),
  })
  .map(
    ({ second, all_day, status }, ..._rest): CalendarEvent =>
      calendarEvent(`e${second}`, 0, {
        time: new Date(all_day ? CALENDAR_MONDAY : CALENDAR_MONDAY + second * SECOND_MS).toISOString(),
        all_day,
        status,
      }),
  );
const events = fc.array(anEvent, { maxLength: 12 }).map((all) => all.sort((a, b) => (a.time < b.time ? -1 : 1)));

/** The rule, word for word, second by second. */
const covers = (event: CalendarEvent, second: number, before: number, after: number): boolean => {
  if (event.all_day || event.status === 'cancelled') return false;
  const time = (Date.parse(event.time) - CALENDAR_MONDAY) / SECOND_MS;
  return time - before * 60 <= second && second < time + after * 60;
};

describe('the window of an event', () => {
  test('contains its first second and not its last one', () => {
    const time = CALENDAR_MONDAY;
    const span = { before: 2, after: 3 };
    const at = (offset: number): boolean => isInside(time + offset, time, span);
    expect([at(-120_001), at(-120_000), at(0), at(179_999), at(180_000)]).toEqual([false, true, true, true, false]);
    expect(isInside(time, time, { before: 0, after: 0 })).toBe(false);
  });

  test('is half-open to the second for any events, spans and times', () => {
    fc.assert(
      fc.property(
        events,
        seconds,
        minutes,
        minutes,
        fc.integer({ min: 0, max: 999 }),
        (all, second, before, after, ms) => {
          const at = CALENDAR_MONDAY + second * SECOND_MS + ms;
          const { inside, events: found } = windowAt('EURUSD', at, { before, after }, all);
          const expected = all.filter((event) => covers(event, second, before, after));
          expect(found).toEqual(expected);
          expect(inside).toBe(expected.length > 0);
        },
      ),
    );
  });

  test('extends as long as windows follow each other without a break', () => {
    fc.assert(
      fc.property(events, seconds, minutes, minutes, (all, second, before, after) => {
        const { window } = windowAt('EURUSD', CALENDAR_MONDAY + second * SECOND_MS, { before, after }, all);
        const isIn = (each: number): boolean => all.some((event) => covers(event, each, before, after));
        if (!isIn(second)) return expect(window).toBeNull();
        let [from, to] = [second, second];
        while (isIn(from - 1)) from--;
        while (isIn(to)) to++;
        const iso = (each: number): string => new Date(CALENDAR_MONDAY + each * SECOND_MS).toISOString();
        expect(window).toEqual({ from: iso(from), to: iso(to) });
      }),
    );
  });

  test('lists all-day events of the date, which open none', () => {
    const holiday = calendarEvent('holiday', 0, { all_day: true });
    const tomorrow = calendarEvent('tomorrow', 1_440, { all_day: true });
    const found = windowAt('EURUSD', CALENDAR_MONDAY + 30_000, { before: 60, after: 60 }, [holiday, tomorrow]);
    expect(found).toMatchObject({ inside: false, events: [], next: null, window: null, all_day: [holiday] });
    const later = windowAt('EURUSD', CALENDAR_MONDAY + DAY_MS, { before: 1, after: 1 }, [holiday, tomorrow]);
    expect(later.all_day).toEqual([tomorrow]);
  });

  test('names the next event, also while its window is open', () => {
    const [first, second] = [calendarEvent('a', 10), calendarEvent('b', 20)];
    const at = (minute: number) =>
      windowAt('EURUSD', CALENDAR_MONDAY + minute * MINUTE_MS, { before: 2, after: 2 }, [first, second]);
    expect([at(0).next, at(9).next, at(10).next, at(20).next]).toEqual([first, first, second, null]);
  });
});
