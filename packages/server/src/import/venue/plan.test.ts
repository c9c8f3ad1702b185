import { describe, expect, test } from 'bun:test';
import { asEpochMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { TimeRange } from '../write/covered-ranges.ts';
import { countBars, HISTORY_LEVELS, levelsAt, missingRanges, nextRequest, provesStart, within } from './plan.ts';

const NOW = Date.UTC(2026, 10, 18, 10, 7, 23);
const UNTIL = Date.UTC(2026, 10, 18, 10, 8);
const TODAY = Date.UTC(2026, 10, 18);
const show = ({ from, to }: TimeRange) => [new Date(from), new Date(to)].map((time) => time.toISOString().slice(0, 16));

const level = fc.constantFrom(...HISTORY_LEVELS);
const minute = fc.integer({ min: 0, max: 60 * 24 * 60 }).map((count) => TODAY - count * MINUTE_MS);
const ranges = fc.array(
  fc.tuple(minute, fc.integer({ min: 1, max: 4_000 })).map(([from, count]) => ({ from, to: from + count * MINUTE_MS })),
  { maxLength: 12 },
);
/** Keeps the newest bars of each length only. */
const keeping = (bars: number) => (length: keyof typeof VENUE_BAR_MS, now: number) =>
  asEpochMs(now - bars * VENUE_BAR_MS[length]);

/** Every request until nothing is missing. */
function allRequests(
  range: TimeRange,
  length: keyof typeof VENUE_BAR_MS,
  known: readonly TimeRange[],
  most?: number,
): TimeRange[] {
  const requests: TimeRange[] = [];
  for (;;) {
    const request = nextRequest(missingRanges(range, length, [...known, ...requests]), length, most);
    if (!request) return requests;
    requests.push(request);
  }
}

describe('levels', () => {
  test('are minutes for 7 days, hours for a year and days before, each from the start of a day', () => {
    const levels = levelsAt(NOW, UNTIL);
    expect(show(levels['1m'])).toEqual(['2026-11-11T00:00', '2026-11-18T10:08']);
    expect(show(levels['1h'])).toEqual(['2025-11-18T00:00', '2026-11-11T00:00']);
    expect(show(levels['1d'])).toEqual(['2009-01-03T00:00', '2025-11-18T00:00']);
  });

  test('of a venue with 720 bars of each length: hours reach the current one, minutes begin at a full hour', () => {
    const levels = levelsAt(NOW, UNTIL, keeping(720));
    expect(show(levels['1m'])).toEqual(['2026-11-17T23:00', '2026-11-18T10:08']);
    expect(show(levels['1h'])).toEqual(['2026-10-20T00:00', '2026-11-18T00:00']);
    expect(show(levels['1d'])).toEqual(['2024-11-29T00:00', '2026-10-20T00:00']);
    const later = levelsAt(NOW + 5 * HOUR_MS, UNTIL + 5 * HOUR_MS, keeping(720));
    expect(show(later['1m'])).toEqual(['2026-11-18T04:00', '2026-11-18T15:08']);
    expect(show(later['1h'])).toEqual(['2026-10-20T00:00', '2026-11-18T15:00']);
  });

  test('meet without an overlap, and begin at a day unless the venue keeps less than a week', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 0, max: 5_000 }), (kept, minutes) => {
        const now = NOW + minutes * MINUTE_MS;
        const until = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
        const levels = levelsAt(now, until, keeping(kept));
        expect(levels['1d'].to).toBeLessThanOrEqual(Math.max(levels['1h'].from, levels['1d'].from));
        expect(levels['1h'].from % DAY_MS).toBe(0);
        expect(levels['1d'].from % DAY_MS).toBe(0);
        expect(levels['1m'].from % HOUR_MS).toBe(0);
        // Hours end where the first whole day of minutes begins.
        expect(levels['1h'].to).toBeLessThanOrEqual(
          Math.max(levels['1h'].from, Math.ceil(levels['1m'].from / DAY_MS) * DAY_MS),
        );
        const whole = levelsAt(now, until);
        expect([whole['1d'].to, whole['1h'].to]).toEqual([whole['1h'].from, whole['1m'].from]);
      }),
    );
  });
});

describe('requests', () => {
  test('fetch everything that is missing and nothing twice, newest first, in whole bars', () => {
    fc.assert(
      fc.property(level, ranges, (length, known) => {
        const range = levelsAt(NOW, UNTIL)[length];
        const requests = allRequests(range, length, known);
        expect(missingRanges(range, length, [...known, ...requests])).toEqual([]);
        for (const [index, { from, to }] of requests.entries()) {
          expect([from % VENUE_BAR_MS[length], to % VENUE_BAR_MS[length]]).toEqual([0, 0]);
          expect(to).toBeLessThanOrEqual(requests[index - 1]?.from ?? range.to);
          expect(from).toBeGreaterThanOrEqual(range.from);
          expect((to - from) / VENUE_BAR_MS[length]).toBeLessThanOrEqual(length === '1m' ? 1_440 : 1_000);
          expect(missingRanges({ from, to }, length, known)).not.toEqual([]);
        }
      }),
    );
  });

  test('of minutes stay within a day, so that its longer bars are complete with each', () => {
    for (const { from, to } of allRequests(levelsAt(NOW, UNTIL)['1m'], '1m', []))
      expect(Math.floor(from / DAY_MS)).toBe(Math.floor((to - 1) / DAY_MS));
  });

  test('of minutes are one if it has room for all of them', () => {
    const range = levelsAt(NOW, UNTIL, keeping(720))['1m'];
    expect(show(range)).toEqual(['2026-11-17T23:00', '2026-11-18T10:08']);
    expect(allRequests(range, '1m', [])).toEqual([range]);
  });

  test('of a venue that lists many bars at a time have up to 5,000, in whole days', () => {
    const requests = (length: '1m' | '1h' | '1d', kept?: number) => {
      const range = levelsAt(NOW, UNTIL, kept === undefined ? undefined : keeping(kept))[length];
      return allRequests(range, length, [], 5_000).map(show);
    };
    expect(requests('1m')).toEqual([
      ['2026-11-16T00:00', '2026-11-18T10:08'],
      ['2026-11-13T00:00', '2026-11-16T00:00'],
      ['2026-11-11T00:00', '2026-11-13T00:00'],
    ]);
    expect(requests('1m', 5_000).length).toBe(1);
    expect(requests('1h').map(([from]) => from)).toEqual(['2026-04-17T00:00', '2025-11-18T00:00']);
    // The venue may have been founded yesterday.
    expect(requests('1d', 5_000)[0]).toEqual(['2023-07-30T00:00', '2026-04-25T00:00']);
  });

  test('continue where they were interrupted', () => {
    fc.assert(
      fc.property(level, ranges, fc.nat(), (length, known, cut) => {
        const range = levelsAt(NOW, UNTIL)[length];
        const whole = allRequests(range, length, known);
        const before = whole.slice(0, cut % (whole.length + 1));
        expect([...before, ...allRequests(range, length, [...known, ...before])]).toEqual(whole);
      }),
    );
  });

  test('without bars prove that there are no older ones if they are long, but not if a market may have been closed', () => {
    const weeks = { from: TODAY - 41 * DAY_MS, to: TODAY };
    expect(provesStart(weeks, '1h', 0)).toBe(true);
    expect(provesStart(weeks, '1h', 1)).toBe(false);
    expect(provesStart({ from: TODAY - 3 * DAY_MS, to: TODAY }, '1h', 0)).toBe(false);
    expect(provesStart({ from: TODAY - DAY_MS, to: TODAY }, '1m', 0)).toBe(false);
  });

  test('ask for a bar that is known in part, and for none that is known', () => {
    const day = { from: TODAY, to: TODAY + DAY_MS };
    const known = [{ from: TODAY, to: TODAY + 90 * MINUTE_MS }];
    expect(missingRanges(day, '1h', known)).toEqual([{ from: TODAY + HOUR_MS, to: day.to }]);
    expect(missingRanges(day, '1m', [{ from: TODAY - 1, to: day.to }])).toEqual([]);
    expect(countBars(missingRanges(day, '1m', known), '1m')).toBe(1_350);
    expect(within([day], { from: TODAY - DAY_MS, to: TODAY + HOUR_MS })).toEqual([
      { from: TODAY, to: TODAY + HOUR_MS },
    ]);
  });
});
