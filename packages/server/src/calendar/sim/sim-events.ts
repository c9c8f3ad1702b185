// The calendar of the simulated markets, as a pure function of the seed's key and the day. The US releases are those that the
// simulated headlines speak of (news/sim/release-calendar.ts).
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { keyed, keyedByName, scramble, uniform } from '../../market/feeds/sim/noise.ts';
import { SIM_SOURCE } from '../../news/sim/open-sim-news.ts';
import { RELEASES, releasesOf } from '../../news/sim/release-calendar.ts';
import { currencyOfCountry } from '../currencies.ts';
import type { RawCalendarEvent } from '../raw-event.ts';
import { impactOf, unitOf, valuesOf } from './release-values.ts';

/** Events are announced this long ahead, and their forecast a day ahead. */
export const ANNOUNCED_DAYS = 8;
const FORECAST_MS = DAY_MS;
/** Share of the events that were first announced for another time, and when they are moved. */
const MOVED = 0.08;
const MOVED_BEFORE_MS = 36 * HOUR_MS;
const MOVED_MINUTES = [-60, -30, 30, 60] as const;
/** Share of the actual values that are revised, and when. */
const REVISED = 0.15;
const REVISED_AFTER_MS = 90 * MINUTE_MS;
const HOLIDAY = 0.015;
/** How far back the value before is looked for, in days. */
const PREVIOUS_DAYS = 21;

/** UTC hours and minutes of releases outside the US. */
const OTHER_COUNTRIES: readonly (readonly [country: string, share: number, minutes: readonly number[]])[] = [
  ['EU', 0.5, [540, 600, 735]],
  ['DE', 0.35, [420, 480]],
  ['GB', 0.5, [420, 570, 720]],
  ['JP', 0.4, [270, 1_430]],
  ['CH', 0.2, [390, 450]],
  ['CA', 0.35, [810, 885]],
  ['AU', 0.3, [30, 90]],
  ['NZ', 0.25, [1_305]],
  ['CN', 0.2, [90, 120]],
];

interface SimRelease {
  readonly country: string;
  readonly name: string;
  readonly minute: number;
}

/** The releases of a day (days since 1970). */
function releases(key: number, day: number): SimRelease[] {
  const us = releasesOf(key, day).map(({ name, minute }) => ({ country: 'US', name, minute }));
  const others = OTHER_COUNTRIES.flatMap(([country, share, minutes]): SimRelease[] => {
    const draw = keyed(keyedByName(key, country), day);
    if (uniform(draw) >= share) return [];
    const pick = scramble(draw) >>> 0;
    return [{ country, name: RELEASES[pick % RELEASES.length]!, minute: minutes[(pick >>> 8) % minutes.length]! }];
  });
  return [...us, ...others];
}

/** All states of the events of a day (days since 1970), in the order in which they become known. */
export function simCalendar(key: number, day: number): RawCalendarEvent[] {
  const states = releases(key, day).flatMap((release) => statesOf(key, day, release));
  const holidays = ['US', ...OTHER_COUNTRIES.map(([country]) => country)]
    .filter((country) => uniform(keyed(keyedByName(key, `holiday ${country}`), day)) < HOLIDAY)
    .map(
      (country): RawCalendarEvent => ({
        ...common(country, `holiday-${country}-${day}`),
        title: 'Bank holiday',
        impact: 'low',
        time: day * DAY_MS,
        allDay: true,
        status: 'scheduled',
        knownAt: (day - ANNOUNCED_DAYS) * DAY_MS,
      }),
    );
  return [...states, ...holidays].sort((a, b) => a.knownAt! - b.knownAt!);
}

function statesOf(key: number, day: number, { country, name, minute }: SimRelease): RawCalendarEvent[] {
  const time = day * DAY_MS + minute * MINUTE_MS;
  const draw = keyed(keyedByName(key, `calendar ${country}`), day * 1_440 + minute);
  const isMoved = uniform(draw) < MOVED;
  const firstTime = isMoved ? time + MOVED_MINUTES[(draw >>> 8) & 3]! * MINUTE_MS : time;
  const { forecast, actual, revised } = valuesOf(key, country, name, day);
  const announced: RawCalendarEvent = {
    ...common(country, `${country}-${day}-${minute}`),
    title: name[0]!.toUpperCase() + name.slice(1),
    impact: impactOf(name),
    time: firstTime,
    allDay: false,
    status: 'scheduled',
    actual: null,
    forecast: null,
    previous: previousOf(key, country, name, day),
    unit: unitOf(name),
    knownAt: (day - ANNOUNCED_DAYS) * DAY_MS + minute * MINUTE_MS,
  };
  const moved = { ...announced, time, knownAt: time - MOVED_BEFORE_MS };
  const expected = { ...moved, forecast, knownAt: time - FORECAST_MS };
  const released = { ...expected, actual, status: 'released' as const, knownAt: time };
  return [
    announced,
    ...(isMoved ? [moved] : []),
    expected,
    released,
    ...(isRevised(key, country, day, minute)
      ? [{ ...released, actual: revised, knownAt: time + REVISED_AFTER_MS }]
      : []),
  ];
}

/** The last value of the same release, as it was revised; `null` if there was none for weeks. */
function previousOf(key: number, country: string, name: string, day: number): string | null {
  for (let before = day - 1; before >= day - PREVIOUS_DAYS; before--) {
    const found = releases(key, before).find((each) => each.country === country && each.name === name);
    if (!found) continue;
    const { actual, revised } = valuesOf(key, country, name, before);
    return isRevised(key, country, before, found.minute) ? revised : actual;
  }
  return null;
}

const isRevised = (key: number, country: string, day: number, minute: number): boolean =>
  uniform(keyed(keyedByName(key, `revised ${country}`), day * 1_440 + minute)) < REVISED;

const common = (country: string, uid: string) => ({
  source: SIM_SOURCE,
  account: null,
  uid,
  country,
  currency: currencyOfCountry(country)!,
});
