import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { asEpochMs } from './brands.ts';
import { isOpen, nextChange } from './hours.ts';
import type { HoursName } from './instrument.ts';

const at = (iso: string) => asEpochMs(Date.parse(iso));
const NAMES: HoursName[] = ['forex', 'metals', 'us-index', 'eu-index', 'asia-index', 'energy', 'us-equity'];
const anyTime = fc.integer({ min: Date.parse('2007-06-01'), max: Date.parse('2090-01-01') }).map(asEpochMs);

/** The clock of a place as the runtime's own zone tables have it. */
function localClock(zone: string, time: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return `${part('weekday')} ${part('hour')}:${part('minute')}`;
}

describe('trading hours', () => {
  test('the forex week ends at 22:00 UTC in winter and at 21:00 UTC in summer', () => {
    expect(isOpen('forex', at('2026-01-16T21:59:59.999Z'))).toBe(true);
    expect(isOpen('forex', at('2026-01-16T22:00:00Z'))).toBe(false);
    expect(isOpen('forex', at('2026-07-17T20:59:59.999Z'))).toBe(true);
    expect(isOpen('forex', at('2026-07-17T21:00:00Z'))).toBe(false);
  });

  test('the weekend in which New York changes its clocks is an hour shorter or longer', () => {
    expect(nextChange('forex', at('2026-03-07T12:00:00Z'))).toBe(at('2026-03-08T21:00:00Z'));
    expect(nextChange('forex', at('2026-10-31T12:00:00Z'))).toBe(at('2026-11-01T22:00:00Z'));
  });

  test('a European index follows the European clock in the weeks when America has changed and Europe has not', () => {
    expect(isOpen('eu-index', at('2026-03-18T20:59:00Z'))).toBe(true);
    expect(isOpen('eu-index', at('2026-03-18T21:00:00Z'))).toBe(false);
    expect(isOpen('eu-index', at('2026-03-30T19:59:00Z'))).toBe(true);
    expect(isOpen('eu-index', at('2026-03-30T20:00:00Z'))).toBe(false);
  });

  test('metals, energy and American indices pause for the hour after 17:00 in New York', () => {
    for (const hours of ['metals', 'energy', 'us-index'] as const) {
      expect(isOpen(hours, at('2026-01-13T21:59:00Z'))).toBe(true);
      expect(isOpen(hours, at('2026-01-13T22:30:00Z'))).toBe(false);
      expect(isOpen(hours, at('2026-01-13T23:00:00Z'))).toBe(true);
    }
  });

  test('Osaka trades by day and by night, and its Friday night ends on Saturday morning', () => {
    expect(isOpen('asia-index', at('2026-01-11T23:44:00Z'))).toBe(false);
    expect(isOpen('asia-index', at('2026-01-11T23:45:00Z'))).toBe(true);
    expect(isOpen('asia-index', at('2026-01-12T07:00:00Z'))).toBe(false);
    expect(isOpen('asia-index', at('2026-01-16T20:59:00Z'))).toBe(true);
    expect(isOpen('asia-index', at('2026-01-16T21:00:00Z'))).toBe(false);
  });

  test('shares trade from 09:30 to 16:00 in New York', () => {
    expect(isOpen('us-equity', at('2026-07-15T13:29:59Z'))).toBe(false);
    expect(isOpen('us-equity', at('2026-07-15T13:30:00Z'))).toBe(true);
    expect(isOpen('us-equity', at('2026-01-15T14:29:59Z'))).toBe(false);
    expect(isOpen('us-equity', at('2026-01-15T21:00:00Z'))).toBe(false);
  });

  test('what is always open never changes', () => {
    expect(isOpen('always', at('2026-01-17T12:00:00Z'))).toBe(true);
    expect(nextChange('always', at('2026-01-17T12:00:00Z'))).toBe(asEpochMs(Number.POSITIVE_INFINITY));
  });

  test('the market is in one state up to the next change, and in the other from it on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        anyTime,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hours, time, part) => {
          const change = nextChange(hours, time);
          const state = isOpen(hours, time);
          expect(change).toBeGreaterThan(time);
          expect(change % 60_000).toBe(0);
          expect(isOpen(hours, change)).toBe(!state);
          expect(isOpen(hours, asEpochMs(change - 1))).toBe(state);
          expect(isOpen(hours, asEpochMs(time + part * (change - 1 - time)))).toBe(state);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('every edge falls on the same wall clock the zone tables show', () => {
    const expected: [HoursName, string, RegExp][] = [
      ['forex', 'America/New_York', /^(Sun|Fri) 17:00$/],
      ['metals', 'America/New_York', /^(Sun|Mon|Tue|Wed|Thu) 18:00$|^(Mon|Tue|Wed|Thu|Fri) 17:00$/],
      ['eu-index', 'Europe/Berlin', /^(Mon|Tue|Wed|Thu|Fri) (01|22):00$/],
      ['us-equity', 'America/New_York', /^(Mon|Tue|Wed|Thu|Fri) (09:30|16:00)$/],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...expected), anyTime, ([hours, zone, clock], time) => {
        expect(localClock(zone, nextChange(hours, time))).toMatch(clock);
      }),
      { numRuns: 500 },
    );
  });
});
