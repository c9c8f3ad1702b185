import { expect, test } from 'bun:test';
import type { CalendarEvent } from '@tickwire/client';
import { preferences } from '../ui/preferences.ts';
import { changeText, eventClock, eventDays, valueText } from './event-days.ts';

const event = (more: Partial<CalendarEvent>): CalendarEvent => ({
  id: 'cpi',
  title: 'CPI',
  country: 'US',
  currency: 'USD',
  impact: 'high',
  time: '2026-03-11T23:30:00.000Z',
  all_day: false,
  status: 'scheduled',
  actual: null,
  forecast: null,
  previous: null,
  unit: '%',
  source: 'test',
  url: null,
  symbols: [],
  moved_from: null,
  revision: 1,
  updated_at: '2026-03-01T00:00:00.000Z',
  ...more,
});

test('groups by the day of the user; all-day events stay on their date and come first', () => {
  preferences.set({ timeZone: 'Asia/Tokyo' });
  const holiday = event({ id: 'holiday', all_day: true, time: '2026-03-12T00:00:00.000Z' });
  const daysOf = (...events: readonly CalendarEvent[]) =>
    // Versions of the browser differ in the comma.
    eventDays(events).map(({ title, events: ofDay }) => [title.replace(',', ''), ...ofDay.map(({ id }) => id)]);
  expect(daysOf(event({}), holiday)).toEqual([['Thursday 12 March 2026', 'holiday', 'cpi']]);
  expect([eventClock(event({})), eventClock(holiday)]).toEqual(['08:30', 'All day']);
  preferences.set({ timeZone: 'UTC' });
  expect(daysOf(event({}), holiday)).toEqual([
    ['Wednesday 11 March 2026', 'cpi'],
    ['Thursday 12 March 2026', 'holiday'],
  ]);
  // The holiday of the 12th starts before an event that is on the evening of the 11th in New York.
  preferences.set({ timeZone: 'America/New_York' });
  expect(daysOf(holiday, event({ time: '2026-03-12T00:30:00.000Z' }))).toEqual([
    ['Wednesday 11 March 2026', 'cpi'],
    ['Thursday 12 March 2026', 'holiday'],
  ]);
  preferences.set({ timeZone: '' });
});

test('marks what was moved, revised and cancelled', () => {
  preferences.set({ timeZone: 'UTC' });
  expect(changeText(event({}))).toBe('');
  expect(changeText(event({ status: 'moved', moved_from: '2026-03-10T12:30:00.000Z', revision: 2 }))).toBe(
    'moved from 10 Mar, 12:30',
  );
  // A forecast that was added is no news.
  expect(changeText(event({ revision: 2 }))).toBe('');
  const released = event({ revision: 3, status: 'released', actual: '3.1' });
  expect(changeText({ ...released, updated_at: '2026-03-11T23:30:05.000Z' })).toBe('');
  expect(changeText({ ...released, updated_at: '2026-03-20T12:00:00.000Z' })).toBe('revised');
  expect(changeText(event({ status: 'cancelled' }))).toBe('cancelled');
  preferences.set({ timeZone: '' });
});

test('writes a value with its unit once', () => {
  expect([valueText('3.1', '%'), valueText('3.1%', '%'), valueText('-180', 'K'), valueText(null, '%')]).toEqual([
    '3.1%',
    '3.1%',
    '−180K',
    '–',
  ]);
});
