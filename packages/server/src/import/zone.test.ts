import { describe, expect, test } from 'bun:test';
import { ImportError } from './import-error.ts';
import { zoneOf } from './zone.ts';

const HOUR = 3_600_000;
/** What a clock on the wall shows, as if it were UTC. */
const wall = (text: string): number => Date.parse(`${text}Z`);
const utc = (zone: string, text: string): string => new Date(zoneOf(zone).toUtc(wall(text))).toISOString();

describe('zones', () => {
  test('fixed offsets subtract', () => {
    expect(utc('UTC+2', '2024-07-01T12:00')).toBe('2024-07-01T10:00:00.000Z');
    expect(utc('UTC-05:30', '2024-07-01T12:00')).toBe('2024-07-01T17:30:00.000Z');
    expect(utc('+0330', '2024-07-01T12:00')).toBe('2024-07-01T08:30:00.000Z');
    expect(utc('utc', '2024-07-01T12:00')).toBe('2024-07-01T12:00:00.000Z');
  });

  test('a place follows its summer time', () => {
    expect(utc('Europe/Athens', '2024-01-15T12:00')).toBe('2024-01-15T10:00:00.000Z');
    expect(utc('Europe/Athens', '2024-07-15T12:00')).toBe('2024-07-15T09:00:00.000Z');
    expect(utc('America/New_York', '2024-03-10T01:59:59')).toBe('2024-03-10T06:59:59.000Z');
    expect(utc('America/New_York', '2024-03-10T03:00:00')).toBe('2024-03-10T07:00:00.000Z');
    expect(utc('Asia/Kathmandu', '2024-03-10T05:45')).toBe('2024-03-10T00:00:00.000Z');
  });

  test('an hour the clocks jumped over does not exist', () => {
    const zone = zoneOf('America/New_York');
    expect(zone.toUtc(wall('2024-03-10T02:00:00'))).toBeNaN();
    expect(zone.toUtc(wall('2024-03-10T02:59:59'))).toBeNaN();
    expect(zone.toUtc(wall('2024-03-10T03:00:00'))).not.toBeNaN();
  });

  test('the doubled hour is read twice where the clock steps back', () => {
    const zone = zoneOf('America/New_York');
    const read = (text: string): number => zone.toUtc(wall(text));
    expect(read('2024-11-03T01:59:59')).toBe(wall('2024-11-03T05:59:59'));
    expect(read('2024-11-03T01:59:58')).toBe(wall('2024-11-03T05:59:58'));
    expect(read('2024-11-03T01:00:00')).toBe(wall('2024-11-03T06:00:00'));
    expect(read('2024-11-03T01:30:00')).toBe(wall('2024-11-03T06:30:00'));
    expect(read('2024-11-03T02:00:00')).toBe(wall('2024-11-03T07:00:00'));
  });

  test('every hour of a year agrees with Intl read backwards', () => {
    for (const name of ['Europe/Athens', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo']) {
      const zone = zoneOf(name);
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
      for (let hour = 0; hour < 366 * 24; hour += 1) {
        const instant = Date.UTC(2024, 0, 1) + hour * HOUR;
        const shown = format.format(instant).replace(' ', 'T');
        const back = zone.toUtc(wall(shown));
        // In the doubled hour both readings are right.
        if (back !== instant) expect(format.format(back).replace(' ', 'T')).toBe(shown);
      }
    }
  });

  test.each(['Mars/Olympus', 'UTC+25', '', 'server'])('%p is refused by name', (name) => {
    expect(() => zoneOf(name)).toThrow(ImportError);
    expect(() => zoneOf(name)).toThrow('is not known');
  });
});
