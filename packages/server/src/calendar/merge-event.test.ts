import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { CALENDAR_MONDAY, rawEvent } from '../../testing/calendar.fixture.ts';
import { eventId, type MergedEvent, mergeEvent } from './merge-event.ts';
import type { RawCalendarEvent } from './raw-event.ts';

const context = { symbols: ['EURUSD'], now: CALENDAR_MONDAY };

/** Merges states one after the other; returns each change. */
function changesOf(...states: readonly Partial<RawCalendarEvent>[]): (MergedEvent | null)[] {
  let known: MergedEvent['item'] | null = null;
  return states.map((changes, index) => {
    const merged = mergeEvent(known, rawEvent(changes), { ...context, now: CALENDAR_MONDAY + index });
    known = merged?.item ?? known;
    return merged;
  });
}
const kinds = (merged: readonly (MergedEvent | null)[]) =>
  merged.map((each) => each && [each.change, each.item.status]);

describe('a delivered event', () => {
  test('is added once', () => {
    const [added, again] = changesOf({}, {});
    expect(added).toMatchObject({ change: 'added', item: { revision: 1, status: 'scheduled', impact: 'medium' } });
    expect(again).toBeNull();
  });

  test('keeps its id when it is moved, and says from when', () => {
    const time = rawEvent().time;
    const [first, moved, released] = changesOf({}, { time: time + HOUR_MS }, { time: time + HOUR_MS, actual: '2.1%' });
    expect(moved).toMatchObject({
      change: 'moved',
      item: { id: first!.item.id, status: 'moved', moved_from: first!.item.time, revision: 2 },
    });
    expect(released).toMatchObject({ change: 'released', item: { status: 'released', moved_from: first!.item.time } });
  });

  test('is released with its value, and revised when the value changes', () => {
    expect(kinds(changesOf({}, { forecast: '2' }, { actual: '2.1' }, { actual: '2.2' }, {}))).toEqual([
      ['added', 'scheduled'],
      ['revised', 'scheduled'],
      ['released', 'released'],
      ['revised', 'released'],
      null,
    ]);
  });

  test('can be cancelled and come back', () => {
    expect(kinds(changesOf({}, { status: 'cancelled' }, { status: 'cancelled' }, { status: 'scheduled' }))).toEqual([
      ['added', 'scheduled'],
      ['cancelled', 'cancelled'],
      null,
      ['revised', 'scheduled'],
    ]);
  });

  test('keeps values that a source does not mention, and drops those that it says are gone', () => {
    const [, kept, dropped] = changesOf({ forecast: '1', previous: '2' }, { previous: '3' }, { forecast: null });
    expect(kept!.item).toMatchObject({ forecast: '1', previous: '3' });
    expect(dropped!.item).toMatchObject({ forecast: null, previous: '3' });
  });

  test('is not added by a change of an unknown event', () => {
    expect(changesOf({ onlyKnown: true, status: 'cancelled' })).toEqual([null]);
  });

  test('skips states that are older than the known one', () => {
    const [, newer, older] = changesOf(
      { knownAt: CALENDAR_MONDAY },
      { knownAt: CALENDAR_MONDAY + 2, forecast: '2' },
      { knownAt: CALENDAR_MONDAY + 1, forecast: '1' },
    );
    expect(newer!.item).toMatchObject({ forecast: '2', updated_at: new Date(CALENDAR_MONDAY + 2).toISOString() });
    expect(older).toBeNull();
  });
});

describe('the identity of an event', () => {
  const id = (changes: Partial<RawCalendarEvent>): string => eventId(rawEvent(changes));

  test('is its id at the source, at any time', () => {
    expect(id({ title: 'Other', time: rawEvent().time + 30 * DAY_MS })).toBe(id({}));
    expect(id({ uid: 'other' })).not.toBe(id({}));
    expect(id({ source: 'other' })).not.toBe(id({}));
    expect(id({ account: { id: 'pub_1' } })).not.toBe(id({ account: { id: 'pub_2' } }));
  });

  test('is country, title and date without one', () => {
    const bare = { uid: null };
    expect(id({ ...bare, title: ' CPI  (Flash) ', time: rawEvent().time + HOUR_MS })).toBe(
      id({ ...bare, title: 'cpi flash' }),
    );
    for (const other of [{ title: 'PPI' }, { country: 'DE' }, { time: rawEvent().time + DAY_MS }])
      expect(id({ ...bare, ...other })).not.toBe(id(bare));
  });
});
