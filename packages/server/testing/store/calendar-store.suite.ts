// Requirements on every store: the economic calendar.
import { describe, expect, test } from 'bun:test';
import type { CalendarEvent } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { CalendarStore } from '../../src/store/calendar-store.ts';
import type { Store } from '../../src/store/store.ts';
import { CALENDAR_MONDAY, calendarEvent } from '../calendar.fixture.ts';

const FAR = CALENDAR_MONDAY * 2;
const START = { time: 0, id: '' };
const at = (minute: number): string => new Date(CALENDAR_MONDAY + minute * MINUTE_MS).toISOString();
const ids = (events: readonly CalendarEvent[]): string[] => events.map(({ id }) => id);

/** `current` returns the store of the running test. */
export function calendarStoreContract(current: () => Store): void {
  const store = (): CalendarStore => current().calendar;

  describe('the economic calendar', () => {
    test('is empty at first', async () => {
      expect(await store().after(START, FAR, 10)).toEqual([]);
      expect(await store().get(['a'])).toEqual([]);
      expect(await store().highImpactRevisions(null, 10)).toEqual([]);
      expect(await store().updatedSince(0, 10)).toEqual([]);
      expect(await store().prune(FAR)).toBe(0);
      await store().put([]);
    });

    test('events are returned as they were stored, by time and then by id', async () => {
      const events = [
        calendarEvent('b', 2, { title: 'ä € 金 “quoted” \\ \u2028 🟡', forecast: '−0,1 %', symbols: [] }),
        calendarEvent('c', 1),
        calendarEvent('a', 2),
      ];
      await store().put(events);
      expect(await store().after(START, FAR, 10)).toEqual([events[1]!, events[2]!, events[0]!]);
    });

    test('a page starts after its position and ends before its time', async () => {
      await store().put(['a', 'b', 'c', 'd'].map((id, index) => calendarEvent(id, Math.floor(index / 2))));
      const page = async (minute: number, id: string, to = 99, limit = 10): Promise<string[]> =>
        ids(
          await store().after(
            { time: CALENDAR_MONDAY + minute * MINUTE_MS, id },
            CALENDAR_MONDAY + to * MINUTE_MS,
            limit,
          ),
        );
      expect(await page(0, '')).toEqual(['a', 'b', 'c', 'd']);
      expect(await page(0, 'a')).toEqual(['b', 'c', 'd']);
      expect(await page(0, 'b', 1)).toEqual([]);
      expect(await page(0, '', 1)).toEqual(['a', 'b']);
      expect(await page(1, 'c')).toEqual(['d']);
      expect(await page(0, '', 99, 3)).toEqual(['a', 'b', 'c']);
    });

    test('a revision replaces the state of its event, also at another time', async () => {
      await store().put([calendarEvent('a', 1), calendarEvent('b', 2)]);
      const moved = calendarEvent('a', 3, { revision: 2, status: 'moved', moved_from: at(1), updated_at: at(1) });
      await store().put([moved]);
      expect(await store().after(START, FAR, 10)).toEqual([calendarEvent('b', 2), moved]);
      expect(await store().get(['a', 'none', 'a'])).toEqual([moved]);
      expect(ids(await store().updatedSince(CALENDAR_MONDAY, 10))).toEqual(['b', 'a']);
      expect(ids(await store().updatedSince(CALENDAR_MONDAY + 1, 10))).toEqual(['a']);
    });

    test('states as of a time have the revisions that were known then, in the order of their times', async () => {
      const moved = calendarEvent('a', 3, { revision: 2, status: 'moved', moved_from: at(1), updated_at: at(1) });
      const added = calendarEvent('c', 2, { updated_at: at(5) });
      await store().put([calendarEvent('a', 1), calendarEvent('b', 2), moved, added]);
      const known = (minute: number, position = START, to = FAR, limit = 10): Promise<CalendarEvent[]> =>
        store().knownAfter(CALENDAR_MONDAY + minute * MINUTE_MS, position, to, limit);
      expect(await known(-1)).toEqual([]);
      expect(await known(0)).toEqual([calendarEvent('a', 1), calendarEvent('b', 2)]);
      expect(await known(1)).toEqual([calendarEvent('b', 2), moved]);
      expect(await known(5)).toEqual([calendarEvent('b', 2), added, moved]);
      expect(await known(5, { time: CALENDAR_MONDAY + 2 * MINUTE_MS, id: 'b' }, FAR, 1)).toEqual([added]);
      expect(await known(5, START, CALENDAR_MONDAY + 2 * MINUTE_MS)).toEqual([]);
    });

    test('two revisions of an event in one write are both kept, and the last is its state', async () => {
      const [first, second] = [calendarEvent('a', 1), calendarEvent('a', 1, { revision: 2, forecast: '1' })];
      await store().put([first, second]);
      expect(await store().get(['a'])).toEqual([second]);
      expect(await store().highImpactRevisions(null, 10)).toEqual([first, second]);
    });

    test('all revisions of events that once had a high impact are listed, page by page', async () => {
      const lowered = calendarEvent('b', 1, { revision: 2, impact: 'low' });
      await store().put([calendarEvent('b', 1), calendarEvent('a', 5), calendarEvent('c', 1, { impact: 'medium' })]);
      await store().put([lowered]);
      expect(await store().highImpactRevisions(null, 2)).toEqual([calendarEvent('a', 5), calendarEvent('b', 1)]);
      expect(await store().highImpactRevisions({ id: 'b', revision: 1 }, 2)).toEqual([lowered]);
    });

    test('old events are deleted with their revisions', async () => {
      await store().put([calendarEvent('a', 1), calendarEvent('b', 2)]);
      expect(await store().prune(CALENDAR_MONDAY + 2 * MINUTE_MS)).toBe(1);
      expect(ids(await store().after(START, FAR, 10))).toEqual(['b']);
      expect(ids(await store().highImpactRevisions(null, 10))).toEqual(['b']);
    });
  });
}
