import { expect, test } from 'bun:test';
import { calendarAddress, readCalendarFilter, toggleImpact, WHOLE_CALENDAR } from './calendar-filter.ts';

test('the address has the filter, and an empty filter has none', () => {
  expect(calendarAddress(WHOLE_CALENDAR)).toBe('/calendar');
  const filter = { impacts: ['high', 'medium'], country: 'US', symbol: 'EURUSD', week: -2 } as const;
  const address = calendarAddress(filter);
  expect(address).toBe('/calendar?impact=high,medium&country=US&symbol=EURUSD&week=-2');
  expect(readCalendarFilter(address.slice('/calendar'.length))).toEqual(filter);
});

test('ignores what is not valid', () => {
  expect(readCalendarFilter('?impact=huge&country=USA&symbol=%3Cscript%3E&week=1.5')).toEqual(WHOLE_CALENDAR);
  expect(readCalendarFilter('?week=1000')).toEqual(WHOLE_CALENDAR);
});

test('all impacts are the same as none chosen', () => {
  expect(toggleImpact({ ...WHOLE_CALENDAR, impacts: ['high', 'medium'] }, 'low')).toEqual([]);
  expect(toggleImpact({ ...WHOLE_CALENDAR, impacts: ['high', 'low'] }, 'low')).toEqual(['high']);
});
