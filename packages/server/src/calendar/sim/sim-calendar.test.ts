import { describe, expect, test } from 'bun:test';
import type { CalendarEvent } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { PUBLIC_NOISE } from '../../market/feeds/sim/noise.ts';
import { silentLog } from '../../ops/log.ts';
import { eventId, mergeEvent } from '../merge-event.ts';
import type { RawCalendarEvent } from '../raw-event.ts';
import { openSimCalendar } from './open-sim-calendar.ts';
import { releasesOf } from './release-calendar.ts';
import { simCalendar } from './sim-events.ts';

const NOISE = PUBLIC_NOISE.named('news');
const DAY = 20_500;
const DAYS = Array.from({ length: 60 }, (_, index) => DAY + index);

/** The calendar as it is known at a time, whatever deliveries led to it. */
function knownAt(time: number, states: readonly RawCalendarEvent[]): Map<string, CalendarEvent> {
  const events = new Map<string, CalendarEvent>();
  for (const raw of states.filter((each) => each.knownAt! <= time)) {
    const merged = mergeEvent(events.get(eventId(raw)) ?? null, raw, { symbols: [], now: time });
    if (merged) events.set(merged.item.id, merged.item);
  }
  return events;
}
const statesOf = (days: readonly number[]): RawCalendarEvent[] => days.flatMap((day) => simCalendar(NOISE, day));

describe('the simulated calendar', () => {
  test('has exactly the releases that the headlines speak of, at their times', () => {
    for (const day of DAYS) {
      const end = knownAt((day + 1) * DAY_MS, simCalendar(NOISE, day));
      const us = [...end.values()].filter(({ country, all_day }) => country === 'US' && !all_day);
      const told = us.map(({ title, time }) => [title.toLowerCase(), (Date.parse(time) % DAY_MS) / MINUTE_MS]);
      expect(told.sort()).toEqual(
        releasesOf(NOISE, day)
          .map(({ name, minute }) => [name.toLowerCase(), minute])
          .sort(),
      );
    }
  });

  test('shows the actual value from the time of the release on, and no earlier', () => {
    for (const raw of statesOf(DAYS)) if (raw.actual) expect(raw.knownAt!).toBeGreaterThanOrEqual(raw.time);
    for (const day of DAYS.slice(0, 10)) {
      const states = simCalendar(NOISE, day);
      for (const { time, allDay } of states) {
        if (allDay) continue;
        const at = (moment: number) =>
          [...knownAt(moment, states).values()].filter((each) => Date.parse(each.time) === time && !each.all_day);
        for (const event of at(time - 1)) expect(event).toMatchObject({ actual: null });
        for (const event of at(time)) expect(event).toMatchObject({ status: 'released', actual: expect.any(String) });
      }
    }
  });

  test('moves and revises some events, each with the same id', () => {
    const all = statesOf(DAYS);
    const end = [...knownAt(Number.MAX_SAFE_INTEGER, all).values()];
    const share = (count: number): number => count / end.length;
    expect(share(end.filter(({ moved_from }) => moved_from !== null).length)).toBeWithin(0.03, 0.15);
    expect(share(end.filter(({ revision, moved_from }) => revision > (moved_from === null ? 3 : 4)).length)).toBeWithin(
      0.07,
      0.25,
    );
    expect(end.some(({ all_day }) => all_day)).toBe(true);
  });

  test('has the value of the release before as the previous one', () => {
    const end = [...knownAt(Number.MAX_SAFE_INTEGER, statesOf(DAYS)).values()].sort((a, b) =>
      a.time < b.time ? -1 : 1,
    );
    const last = new Map<string, string | null>();
    let compared = 0;
    for (const { country, title, actual, previous, all_day } of end) {
      const kind = `${country} ${title}`;
      // Without one in the three weeks before, the previous value is unknown.
      if (!all_day && last.has(kind) && previous !== null) {
        expect(previous).toBe(last.get(kind)!);
        compared++;
      }
      last.set(kind, actual);
    }
    expect(compared).toBeGreaterThan(100);
  });

  test('is the same after a restart, which delivers it again', async () => {
    const deliveries: RawCalendarEvent[][] = [];
    let now = (DAY + 10) * DAY_MS;
    for (let run = 0; run < 2; run++) {
      const taken: RawCalendarEvent[] = [];
      const sim = openSimCalendar({
        noise: NOISE,
        now: () => now,
        log: silentLog,
        take: async (events) => taken.push(...events),
      });
      sim.start();
      while (taken.length === 0) await Bun.sleep(10);
      await sim.stop();
      deliveries.push(taken);
      now += DAY_MS / 2;
    }
    const events = (given: readonly RawCalendarEvent[]) => knownAt((DAY + 10) * DAY_MS, given);
    const [first, second] = deliveries;
    expect(first!.length).toBeGreaterThan(100);
    const again = events([...first!, ...second!]);
    for (const [id, event] of events(first!)) expect(again.get(id)).toEqual(event);
  });
});
