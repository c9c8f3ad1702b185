import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOURS_NAMES, type HoursName } from './calendars.ts';
import { asEpochMs, DAY_MS } from './time.ts';
import { zoneOffset } from './time-zone.ts';
import { closedDays, isMarketOpen, nextSessionChange, timeZoneOf, tradingSessions } from './trading-hours.ts';

const at = (iso: string) => asEpochMs(Date.parse(iso));
const NAMES = HOURS_NAMES.filter((name) => name !== 'always');
const anyTime = fc.integer({ min: Date.parse('1999-06-01'), max: Date.parse('2040-01-01') }).map(asEpochMs);

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
      ['forex', 'America/New_York', /^(Sun|Fri) 17:00$|^(Mon|Tue|Wed|Thu) (17|00):00$/],
      [
        'metals',
        'America/New_York',
        /^(Sun|Mon|Tue|Wed|Thu) 18:00$|^(Mon|Tue|Wed|Thu|Fri) (17:[01]|1[34]:[0134])[05]$/,
      ],
      ['eu-index', 'Europe/Berlin', /^(Mon|Tue|Wed|Thu|Fri) (01|22):00$/],
      ['us-equity', 'America/New_York', /^(Mon|Tue|Wed|Thu|Fri) (09:30|16:00|13:00)$/],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...expected), anyTime, ([hours, zone, clock], time) => {
        expect(localClock(zone, nextSessionChange(hours, time))).toMatch(clock);
      }),
      { numRuns: 500 },
    );
  });

  test('clocks before 2007 changed on other days in America', () => {
    // The first Sunday of April and the last one of October.
    expect(isMarketOpen('us-equity', at('2006-03-20T13:30:00Z'))).toBe(false);
    expect(isMarketOpen('us-equity', at('2006-03-20T14:30:00Z'))).toBe(true);
    expect(isMarketOpen('us-equity', at('2006-04-03T13:30:00Z'))).toBe(true);
    expect(isMarketOpen('us-equity', at('2006-10-30T13:30:00Z'))).toBe(false);
  });

  test('offsets are those of the zone database at any time', () => {
    const zones = ['America/New_York', 'Europe/London', 'Europe/Berlin', 'Asia/Tokyo', 'Africa/Casablanca'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: Date.parse('2050-01-01') }), (zone, time) => {
        const text = new Date(time).toLocaleString('sv-SE', { timeZone: zone });
        const second = Math.floor(time / 1000) * 1000;
        expect(second + zoneOffset(zone, time)).toBe(Date.parse(`${text.replace(' ', 'T')}Z`));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Sessions that overlap UTC days, in local time: `Mon 09:30 – Mon 16:00`. */
const sessionsOn = (hours: HoursName, from: string, days = 1): string[] =>
  tradingSessions(hours, at(`${from}T00:00Z`), asEpochMs(Date.parse(from) + days * DAY_MS)).map(({ open, close }) =>
    [open, close].map((time) => localClock(timeZoneOf(hours), time)).join(' – '),
  );

describe('holidays', () => {
  test('forex closes for the trading days of Christmas and New Year', () => {
    expect(sessionsOn('forex', '2025-12-24', 3)).toEqual(['Sun 17:00 – Wed 17:00', 'Thu 17:00 – Fri 17:00']);
    expect(sessionsOn('forex', '2025-12-31', 3)).toEqual(['Sun 17:00 – Wed 17:00', 'Thu 17:00 – Fri 17:00']);
    expect(closedDays('forex', at('2025-12-20T00:00Z'), at('2026-01-05T00:00Z'))).toEqual([
      { date: '2025-12-25', reason: 'Christmas Day' },
      { date: '2026-01-01', reason: "New Year's Day" },
    ]);
  });

  test('futures in Chicago pause on American holidays and reopen in the evening', () => {
    expect(sessionsOn('us-index', '2026-11-26', 2)).toEqual(['Wed 18:00 – Thu 13:00', 'Thu 18:00 – Fri 13:15']);
    expect(sessionsOn('metals', '2026-11-26', 2)).toEqual(['Wed 18:00 – Thu 14:30', 'Thu 18:00 – Fri 14:45']);
    expect(sessionsOn('us-index', '2024-03-28', 4)).toEqual(['Wed 18:00 – Thu 17:00', 'Sun 18:00 – Mon 17:00']);
  });

  test('shares close early on the day after Thanksgiving, and all day for a state funeral', () => {
    expect(sessionsOn('us-equity', '2026-11-26', 2)).toEqual(['Fri 09:30 – Fri 13:00']);
    expect(closedDays('us-equity', at('2025-01-08T00:00Z'), at('2025-01-11T00:00Z'))).toEqual([
      { date: '2025-01-09', reason: 'National day of mourning' },
    ]);
  });

  test('London closes at noon on Christmas Eve, and Frankfurt all day', () => {
    expect(sessionsOn('uk-equity', '2026-12-24')).toEqual(['Thu 08:00 – Thu 12:30']);
    expect(sessionsOn('germany-equity', '2026-12-24')).toEqual([]);
    expect(sessionsOn('germany-index', '2026-12-30')).toEqual(['Wed 01:15 – Wed 22:00']);
    expect(sessionsOn('germany-equity', '2026-12-30')).toEqual(['Wed 09:00 – Wed 14:00']);
  });

  test('Osaka trades on public holidays since September 2022, Tokyo does not', () => {
    expect(sessionsOn('japan-index', '2022-09-19')).toEqual(['Tue 08:45 – Tue 15:15']);
    expect(sessionsOn('japan-index', '2022-09-23')).toEqual(['Fri 08:45 – Fri 15:15', 'Fri 16:30 – Sat 06:00']);
    expect(sessionsOn('japan-equity', '2022-09-23')).toEqual([]);
    expect(sessionsOn('japan-equity', '2026-11-17')).toEqual(['Tue 09:00 – Tue 11:30', 'Tue 12:30 – Tue 15:30']);
  });
});

describe('hours of OANDA', () => {
  test('Brent opens at 20:00 and closes at 18:00 New York time', () => {
    expect(sessionsOn('brent', '2026-11-17', 2)).toEqual(['Mon 20:00 – Tue 18:00', 'Tue 20:00 – Wed 18:00']);
  });

  test('American indices pause at 16:15, Japan follows Chicago', () => {
    expect(sessionsOn('oanda-us-index', '2026-11-17')).toEqual([
      'Mon 18:00 – Tue 16:15',
      'Tue 16:30 – Tue 17:00',
      'Tue 18:00 – Wed 16:15',
    ]);
    expect(sessionsOn('oanda-japan-index', '2026-11-17')).toEqual(['Mon 18:00 – Tue 17:00', 'Tue 18:00 – Wed 17:00']);
  });

  test('indices of London and Frankfurt are quoted in the time of their exchange', () => {
    expect(sessionsOn('uk-index', '2026-11-17')).toEqual(['Tue 01:00 – Tue 21:00']);
    expect(sessionsOn('germany-index', '2026-11-17')).toEqual(['Tue 01:15 – Tue 22:00']);
  });
});

describe('sessions', () => {
  test('overlap the range, are in order, never touch, and agree with the state at any time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), anyTime, fc.integer({ min: 1, max: 400 }), (hours, from, days) => {
        const to = asEpochMs(from + days * DAY_MS);
        const sessions = tradingSessions(hours, from, to);
        let until = Number.NEGATIVE_INFINITY;
        for (const { open, close } of sessions) {
          expect(open).toBeGreaterThan(until);
          expect(close).toBeGreaterThan(from);
          expect(open).toBeLessThan(to);
          expect(isMarketOpen(hours, open)).toBe(true);
          expect(nextSessionChange(hours, open)).toBe(close);
          until = close;
        }
        expect(sessions.some(({ open, close }) => open <= from && close > from)).toBe(isMarketOpen(hours, from));
      }),
      { numRuns: 300 },
    );
  });

  test('of a market that never closes are the range itself', () => {
    const [from, to] = [at('2026-01-01T00:00Z'), at('2026-01-03T00:00Z')];
    expect(tradingSessions('always', from, to)).toEqual([{ open: from, close: to }]);
    expect(tradingSessions('always', to, from)).toEqual([]);
    expect(closedDays('always', from, to)).toEqual([]);
  });
});
