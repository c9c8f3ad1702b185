// The calendar of the simulated markets, as a pure function of the seed's noise and the day. The US releases are those that the
// simulated headlines speak of (news/sim/release-calendar.ts).
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { SIM_SOURCE } from '../../documents/source.ts';
import { type Noise, uniform } from '../../market/feeds/sim/noise.ts';
import { currencyOfCountry } from '../currencies.ts';
import type { RawCalendarEvent } from '../raw-event.ts';
import { RELEASES, releasesOf } from './release-calendar.ts';
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
function releases(noise: Noise, day: number): SimRelease[] {
  const us = releasesOf(noise, day).map(({ name, minute }) => ({ country: 'US', name, minute }));
  const others = OTHER_COUNTRIES.flatMap(([country, share, minutes]): SimRelease[] => {
    const { a, b } = noise.named(country).draw(day);
    if (uniform(a) >= share) return [];
    const pick = b >>> 0;
    return [{ country, name: RELEASES[pick % RELEASES.length]!, minute: minutes[(pick >>> 8) % minutes.length]! }];
  });
  return [...us, ...others];
}

/** All states of the events of a day (days since 1970), in the order in which they become known. */
export function simCalendar(noise: Noise, day: number): RawCalendarEvent[] {
  const states = releases(noise, day).flatMap((release) => statesOf(noise, day, release));
  const holidays = ['US', ...OTHER_COUNTRIES.map(([country]) => country)]
    .filter((country) => noise.named(`holiday ${country}`).uniform(day) < HOLIDAY)
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

function statesOf(noise: Noise, day: number, { country, name, minute }: SimRelease): RawCalendarEvent[] {
  const time = day * DAY_MS + minute * MINUTE_MS;
  const { a, b } = noise.named(`calendar ${country}`).draw(day * 1_440 + minute);
  const isMoved = uniform(a) < MOVED;
  const firstTime = isMoved ? time + MOVED_MINUTES[b & 3]! * MINUTE_MS : time;
  const { forecast, actual, revised } = valuesOf(noise, country, name, day);
  const announced: RawCalendarEvent = {
    ...common(country, `${country}-${day}-${minute}`),
    title: name[0]!.toUpperCase() + name.slice(1),
    impact: impactOf(name),
    time: firstTime,
    allDay: false,
    status: 'scheduled',
    actual: null,
    forecast: null,
    previous: previousOf(noise, country, name, day),
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
    ...(isRevised(noise, country, day, minute)
      ? [{ ...released, actual: revised, knownAt: time + REVISED_AFTER_MS }]
      : []),
  ];
}

/** The last value of the same release, as it was revised; `null` if there was none for weeks. */
function previousOf(noise: Noise, country: string, name: string, day: number): string | null {
  for (let before = day - 1; before >= day - PREVIOUS_DAYS; before--) {
    const found = releases(noise, before).find((each) => each.country === country && each.name === name);
    if (!found) continue;
    const { actual, revised } = valuesOf(noise, country, name, before);
    return isRevised(noise, country, before, found.minute) ? revised : actual;
  }
  return null;
}

const isRevised = (noise: Noise, country: string, day: number, minute: number): boolean =>
  noise.named(`revised ${country}`).uniform(day * 1_440 + minute) < REVISED;

const common = (country: string, uid: string) => ({
  source: SIM_SOURCE,
  account: null,
  uid,
  country,
  currency: currencyOfCountry(country)!,
});
