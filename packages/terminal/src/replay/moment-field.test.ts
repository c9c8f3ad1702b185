import { expect, test } from 'bun:test';
import { fieldOf, readField } from './moment-field.ts';

const time = (text: string) => Date.parse(text);

test('a field shows and reads times of a time zone', () => {
  expect(fieldOf(time('2026-03-02T13:05:40Z'), 'Europe/Berlin')).toBe('2026-03-02T14:05');
  expect(readField('2026-03-02T14:05', 'Europe/Berlin')).toBe(time('2026-03-02T13:05:00Z'));
  expect(readField('2026-07-02T14:05', 'America/New_York')).toBe(time('2026-07-02T18:05:00Z'));
  expect(readField('2026-03-02T14:05', 'Asia/Kolkata')).toBe(time('2026-03-02T08:35:00Z'));
});

test('an hour that a change of clocks skips is read as the one after it', () => {
  expect(readField('2026-03-29T01:59', 'Europe/Berlin')).toBe(time('2026-03-29T00:59:00Z'));
  expect(readField('2026-03-29T02:30', 'Europe/Berlin')).toBe(time('2026-03-29T01:30:00Z'));
  expect(readField('2026-03-29T03:30', 'Europe/Berlin')).toBe(time('2026-03-29T01:30:00Z'));
});

test('an empty field has no time', () => {
  expect(readField('', 'UTC')).toBeNull();
});
