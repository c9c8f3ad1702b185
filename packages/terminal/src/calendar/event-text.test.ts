import { expect, test } from 'bun:test';
import type { CalendarEvent, EventWindow } from '@tickwire/client';
import { countdownOf } from './event-text.ts';

const NOW = Date.parse('2026-03-11T12:17:30Z');
const event = (time: string, title = 'inflation report'): CalendarEvent => ({
  id: title,
  title,
  country: 'US',
  currency: 'USD',
  impact: 'high',
  time,
  all_day: false,
  status: 'scheduled',
  actual: null,
  forecast: null,
  previous: null,
  unit: null,
  source: 'test',
  url: null,
  symbols: ['EURUSD'],
  moved_from: null,
  revision: 1,
  updated_at: time,
});
const window = (more: Partial<EventWindow>): EventWindow => ({
  symbol: 'EURUSD',
  at: new Date(NOW).toISOString(),
  before: 2,
  after: 2,
  inside: false,
  events: [],
  next: null,
  window: null,
  all_day: [],
  ...more,
});

test('names the next event behind its time', () => {
  const given = window({ next: event('2026-03-11T12:30:00Z') });
  expect(countdownOf(given, NOW)).toEqual({ text: 'in 12:30 · US inflation report', inside: false });
});

test('says nothing without an event within a day', () => {
  expect(countdownOf(window({}), NOW)).toBeNull();
  expect(countdownOf(window({ next: event('2026-03-13T12:30:00Z') }), NOW)).toBeNull();
});

test('is highlighted inside a window, before and after the event, and not after it has closed', () => {
  const given = window({
    events: [event('2026-03-11T12:18:00Z')],
    next: event('2026-03-11T18:00:00Z', 'rate decision'),
    window: { from: '2026-03-11T12:16:00Z', to: '2026-03-11T12:20:00Z' },
  });
  expect(countdownOf(given, NOW)).toEqual({ text: 'in 0:30 · US inflation report', inside: true });
  expect(countdownOf(given, NOW + 60_000)).toEqual({ text: '0:30 ago · US inflation report', inside: true });
  // The end is exclusive.
  expect(countdownOf(given, Date.parse('2026-03-11T12:20:00Z'))).toEqual({
    text: 'in 5:40:00 · US rate decision',
    inside: false,
  });
});
