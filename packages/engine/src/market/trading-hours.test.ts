import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { HoursName } from './instrument.ts';
import { asEpochMs } from './time.ts';
import { isMarketOpen, nextSessionChange } from './trading-hours.ts';

const at = (iso: string) => asEpochMs(Date.parse(iso));
const NAMES: HoursName[] = ['forex', 'metals', 'us-index', 'eu-index', 'asia-index', 'energy', 'us-equity'];
const anyTime = fc.integer({ min: Date.parse('2007-06-01'), max: Date.parse('2090-01-01') }).map(asEpochMs);

/** Local time by the time zone tables of the runtime. */
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
    expect(isMarketOpen('forex', at('2026-01-16T21:59:59.999Z'))).toBe(true);
    expect(isMarketOpen('forex', at('2026-01-16T22:00:00Z'))).toBe(false);
    expect(isMarketOpen('forex', at('2026-07-17T20:59:59.999Z'))).toBe(true);
    expect(isMarketOpen('forex', at('2026-07-17T21:00:00Z'))).toBe(false);
  });

  test('the weekend of a clock change in New York is an hour shorter or longer', () => {
    expect(nextSessionChange('forex', at('2026-03-07T12:00:00Z'))).toBe(at('2026-03-08T21:00:00Z'));
    expect(nextSessionChange('forex', at('2026-10-31T12:00:00Z'))).toBe(at('2026-11-01T22:00:00Z'));
  });

  test('a European index follows European time in the weeks when only America has changed its clocks', () => {
    expect(isMarketOpen('eu-index', at('2026-03-18T20:59:00Z'))).toBe(true);
    expect(isMarketOpen('eu-index', at('2026-03-18T21:00:00Z'))).toBe(false);
    expect(isMarketOpen('eu-index', at('2026-03-30T19:59:00Z'))).toBe(true);
    expect(isMarketOpen('eu-index', at('2026-03-30T20:00:00Z'))).toBe(false);
  });

  test('metals, energy and American indices pause for an hour at 17:00 New York time', () => {
    for (const hours of ['metals', 'energy', 'us-index'] as const) {
      expect(isMarketOpen(hours, at('2026-01-13T21:59:00Z'))).toBe(true);
      expect(isMarketOpen(hours, at('2026-01-13T22:30:00Z'))).toBe(false);
      expect(isMarketOpen(hours, at('2026-01-13T23:00:00Z'))).toBe(true);
    }
  });

  test('Osaka has a day and a night session, and the one of Friday night ends on Saturday morning', () => {
    expect(isMarketOpen('asia-index', at('2026-01-11T23:44:00Z'))).toBe(false);
    expect(isMarketOpen('asia-index', at('2026-01-11T23:45:00Z'))).toBe(true);
    expect(isMarketOpen('asia-index', at('2026-01-12T07:00:00Z'))).toBe(false);
    expect(isMarketOpen('asia-index', at('2026-01-16T20:59:00Z'))).toBe(true);
    expect(isMarketOpen('asia-index', at('2026-01-16T21:00:00Z'))).toBe(false);
  });

  test('shares trade from 09:30 to 16:00 New York time', () => {
    expect(isMarketOpen('us-equity', at('2026-07-15T13:29:59Z'))).toBe(false);
    expect(isMarketOpen('us-equity', at('2026-07-15T13:30:00Z'))).toBe(true);
    expect(isMarketOpen('us-equity', at('2026-01-15T14:29:59Z'))).toBe(false);
    expect(isMarketOpen('us-equity', at('2026-01-15T21:00:00Z'))).toBe(false);
  });

  test('a market that is always open never changes', () => {
    expect(isMarketOpen('always', at('2026-01-17T12:00:00Z'))).toBe(true);
    expect(nextSessionChange('always', at('2026-01-17T12:00:00Z'))).toBe(asEpochMs(Number.POSITIVE_INFINITY));
  });

  test('the state is constant up to the next change and the opposite from then on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        anyTime,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hours, time, part) => {
          const change = nextSessionChange(hours, time);
          const state = isMarketOpen(hours, time);
          expect(change).toBeGreaterThan(time);
          expect(change % 60_000).toBe(0);
          expect(isMarketOpen(hours, change)).toBe(!state);
          expect(isMarketOpen(hours, asEpochMs(change - 1))).toBe(state);
          expect(isMarketOpen(hours, asEpochMs(time + part * (change - 1 - time)))).toBe(state);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('every session edge matches the time zone tables of the runtime', () => {
    const expected: [HoursName, string, RegExp][] = [
      ['forex', 'America/New_York', /^(Sun|Fri) 17:00$/],
      ['metals', 'America/New_York', /^(Sun|Mon|Tue|Wed|Thu) 18:00$|^(Mon|Tue|Wed|Thu|Fri) 17:00$/],
      ['eu-index', 'Europe/Berlin', /^(Mon|Tue|Wed|Thu|Fri) (01|22):00$/],
      ['us-equity', 'America/New_York', /^(Mon|Tue|Wed|Thu|Fri) (09:30|16:00)$/],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...expected), anyTime, ([hours, zone, clock], time) => {
        expect(localClock(zone, nextSessionChange(hours, time))).toMatch(clock);
      }),
      { numRuns: 500 },
    );
  });
});
