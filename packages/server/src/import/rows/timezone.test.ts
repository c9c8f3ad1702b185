import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { parseTimeZone } from './timezone.ts';

/** A local time in milliseconds, as if it were UTC. */
const local = (text: string): number => Date.parse(`${text}Z`);
const utc = (zone: string, text: string): string => new Date(parseTimeZone(zone).toUtc(local(text))).toISOString();

describe('time zones', () => {
  test('subtract fixed offsets', () => {
    expect(utc('UTC+2', '2024-07-01T12:00')).toBe('2024-07-01T10:00:00.000Z');
    expect(utc('UTC-05:30', '2024-07-01T12:00')).toBe('2024-07-01T17:30:00.000Z');
    expect(utc('+0330', '2024-07-01T12:00')).toBe('2024-07-01T08:30:00.000Z');
    expect(utc('utc', '2024-07-01T12:00')).toBe('2024-07-01T12:00:00.000Z');
  });

  test('observe daylight saving time', () => {
    expect(utc('Europe/Athens', '2024-01-15T12:00')).toBe('2024-01-15T10:00:00.000Z');
    expect(utc('Europe/Athens', '2024-07-15T12:00')).toBe('2024-07-15T09:00:00.000Z');
    expect(utc('America/New_York', '2024-03-10T01:59:59')).toBe('2024-03-10T06:59:59.000Z');
    expect(utc('America/New_York', '2024-03-10T03:00:00')).toBe('2024-03-10T07:00:00.000Z');
    expect(utc('Asia/Kathmandu', '2024-03-10T05:45')).toBe('2024-03-10T00:00:00.000Z');
  });

  test('have no UTC time for a skipped hour', () => {
    const zone = parseTimeZone('America/New_York');
    expect(zone.toUtc(local('2024-03-10T02:00:00'))).toBeNaN();
    expect(zone.toUtc(local('2024-03-10T02:59:59'))).toBeNaN();
    expect(zone.toUtc(local('2024-03-10T03:00:00'))).not.toBeNaN();
  });

  test('read the repeated hour twice if times step back', () => {
    const zone = parseTimeZone('America/New_York');
    const read = (text: string): number => zone.toUtc(local(text));
    expect(read('2024-11-03T01:59:59')).toBe(local('2024-11-03T05:59:59'));
    expect(read('2024-11-03T01:59:58')).toBe(local('2024-11-03T05:59:58'));
    expect(read('2024-11-03T01:00:00')).toBe(local('2024-11-03T06:00:00'));
    expect(read('2024-11-03T01:30:00')).toBe(local('2024-11-03T06:30:00'));
    expect(read('2024-11-03T02:00:00')).toBe(local('2024-11-03T07:00:00'));
  });

  test.each([60, 30, 15, 1])('read both hours of bars of %i minutes, in either order', (minutes) => {
    for (const name of ['America/New_York', 'Europe/Athens', 'broker']) {
      const zone = parseTimeZone(name);
      const start = local(name === 'Europe/Athens' ? '2024-10-26T20:00' : '2024-11-03T00:00');
      const instants = Array.from({ length: (12 * 60) / minutes }, (_, bar) => start + (bar * minutes * HOUR_MS) / 60);
      for (const order of [instants, instants.toReversed()]) {
        const file = order.map((time) => parseTimeZone(name).toLocal(time));
        expect(file.map((time) => zone.toUtc(time, true))).toEqual(order);
      }
    }
  });

  test('keep ticks of one time in the same pass', () => {
    const zone = parseTimeZone('America/New_York');
    const read = (text: string): number => zone.toUtc(local(text));
    for (const text of ['2024-11-03T00:59:59', '2024-11-03T01:00:00', '2024-11-03T01:00:00', '2024-11-03T01:00:01'])
      expect(read(text)).toBe(local(text) + 4 * HOUR_MS);
  });

  test('agree with Intl for every hour of a year', () => {
    for (const name of ['Europe/Athens', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo']) {
      const zone = parseTimeZone(name);
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
      for (let hour = 0; hour < 366 * 24; hour += 1) {
        const instant = Date.UTC(2024, 0, 1) + hour * HOUR_MS;
        const shown = format.format(instant).replace(' ', 'T');
        const back = zone.toUtc(local(shown));
        // In the repeated hour both are correct.
        if (back !== instant) expect(format.format(back).replace(' ', 'T')).toBe(shown);
      }
    }
  });

  test.each(['Mars/Olympus', 'UTC+25', '', 'server'])('reject %p', (name) => {
    expect(() => parseTimeZone(name)).toThrow(ImportError);
    expect(() => parseTimeZone(name)).toThrow('unknown time zone');
  });
});
