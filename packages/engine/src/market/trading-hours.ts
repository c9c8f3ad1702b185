// Weekly trading calendars. A calendar is a list of sessions in minutes of the local week (Sunday 00:00 is 0) of the
// exchange. Daylight saving time is computed from the epoch milliseconds alone, so the result does not depend on the time
// zone tables of the machine. Holidays are not included.
//
// Every session edge is a whole minute of UTC. Clocks change on Sunday mornings, when all these markets are closed.
import type { HoursName } from './instrument.ts';
import { asEpochMs, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from './time.ts';

const MEAN_YEAR_MS = 365.2425 * DAY_MS;
const WEEK_MINUTES = 10_080;
/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4;

type Zone = 'new-york' | 'frankfurt' | 'tokyo';
type Session = readonly [open: number, close: number];
interface Calendar {
  readonly zone: Zone;
  readonly sessions: readonly Session[];
}

const SUNDAY = 0;
const MONDAY = 1;
const FRIDAY = 5;
const minute = (day: number, hour: number, min = 0): number => (day * 24 + hour) * 60 + min;

/** The same hours on each of the days; a closing hour past 24 is on the next day. */
function daily(
  first: number,
  last: number,
  open: readonly [number, number],
  close: readonly [number, number],
): Session[] {
  const sessions: Session[] = [];
  for (let day = first; day <= last; day++) sessions.push([minute(day, ...open), minute(day, ...close)]);
  return sessions;
}

/** Futures in Chicago and New York: 18:00 to 17:00 the next day, from Sunday evening, with an hour's break. */
const GLOBEX: Calendar = { zone: 'new-york', sessions: daily(SUNDAY, FRIDAY - 1, [18, 0], [41, 0]) };

const CALENDARS: Readonly<Record<Exclude<HoursName, 'always'>, Calendar>> = {
  forex: { zone: 'new-york', sessions: [[minute(SUNDAY, 17), minute(FRIDAY, 17)]] },
  metals: GLOBEX,
  energy: GLOBEX,
  'us-index': GLOBEX,
  // Broker hours: the European day and on through the close in New York.
  'eu-index': { zone: 'frankfurt', sessions: daily(MONDAY, FRIDAY, [1, 0], [22, 0]) },
  // Osaka's day session, and its night session until 06:00 the next morning.
  'asia-index': {
    zone: 'tokyo',
    sessions: [...daily(MONDAY, FRIDAY, [8, 45], [15, 45]), ...daily(MONDAY, FRIDAY, [17, 0], [30, 0])].sort(
      (a, b) => a[0] - b[0],
    ),
  },
  'us-equity': { zone: 'new-york', sessions: daily(MONDAY, FRIDAY, [9, 30], [16, 0]) },
};

/** Days from the epoch to the first of March of a year. */
function firstOfMarch(year: number): number {
  const before = year - 1;
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  // 719,162 days lie between 0001-01-01 and the epoch; the leap day of `year` comes before March.
  return before * 365 + leaps - 719_162 + 59;
}

const weekday = (day: number): number => (((day + EPOCH_WEEKDAY) % 7) + 7) % 7;
const sundayFrom = (day: number): number => day + ((7 - weekday(day)) % 7);
const sundayUntil = (day: number): number => day - weekday(day);

/** Milliseconds to add to UTC for local time, by the American rule since 2007 and the European rule since 1996. */
function offsetOf(zone: Zone, time: number): number {
  if (zone === 'tokyo') return 9 * HOUR_MS;
  // The mean year may be a day off around New Year, when daylight saving time is never in effect.
  const march = firstOfMarch(1970 + Math.floor(time / MEAN_YEAR_MS));
  if (zone === 'frankfurt') {
    const spring = sundayUntil(march + 30) * DAY_MS + HOUR_MS;
    const autumn = sundayUntil(march + 244) * DAY_MS + HOUR_MS;
    return (time >= spring && time < autumn ? 2 : 1) * HOUR_MS;
  }
  // 02:00 local time in New York is 07:00 UTC in March and 06:00 UTC in November.
  const spring = (sundayFrom(march) + 7) * DAY_MS + 7 * HOUR_MS;
  const autumn = sundayFrom(march + 245) * DAY_MS + 6 * HOUR_MS;
  return (time >= spring && time < autumn ? -4 : -5) * HOUR_MS;
}

/** Minutes since the start of the local week, with a fraction. */
function minuteOfWeek(local: number): number {
  const minutes = local / MINUTE_MS + EPOCH_WEEKDAY * 1440;
  return minutes - Math.floor(minutes / WEEK_MINUTES) * WEEK_MINUTES;
}

export function isMarketOpen(hours: HoursName, time: EpochMs): boolean {
  if (hours === 'always') return true;
  const { zone, sessions } = CALENDARS[hours];
  const now = minuteOfWeek(time + offsetOf(zone, time));
  for (const [open, close] of sessions) if (now >= open && now < close) return true;
  return false;
}

/** The next time at which the market opens or closes; `Infinity` if it never closes. */
export function nextSessionChange(hours: HoursName, time: EpochMs): EpochMs {
  if (hours === 'always') return asEpochMs(Number.POSITIVE_INFINITY);
  const { zone, sessions } = CALENDARS[hours];
  const local = time + offsetOf(zone, time);
  const now = minuteOfWeek(local);
  let edge = sessions[0]![0] + WEEK_MINUTES;
  for (const session of sessions) {
    const candidate = session[0] > now ? session[0] : session[1];
    if (candidate > now && candidate < edge) edge = candidate;
  }
  const localEdge = Math.round(local + (edge - now) * MINUTE_MS);
  // The clocks may change before the edge, so use the offset in effect at the edge.
  return asEpochMs(localEdge - offsetOf(zone, localEdge - offsetOf(zone, time)));
}
