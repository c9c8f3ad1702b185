// The hours in which most trade in Asia, London and New York happens, on their working days. Clock changes are those of each city.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/contract/durations.ts';
import { LINE_COLORS } from './line-colors.ts';

/** Hours of the local clock. */
const SESSIONS = [
  { name: 'Asia', zone: 'Asia/Tokyo', opens: 9, closes: 18, color: LINE_COLORS.orange },
  { name: 'London', zone: 'Europe/London', opens: 8, closes: 17, color: LINE_COLORS.azure },
  { name: 'New York', zone: 'America/New_York', opens: 8, closes: 17, color: LINE_COLORS.violet },
].map((session) => ({
  ...session,
  clock: new Intl.DateTimeFormat('en-GB', { timeZone: session.zone, timeZoneName: 'longOffset' }),
  /** Start of its day by day, milliseconds since the epoch. */
  midnights: new Map<number, number>(),
}));

/** Times in milliseconds since the epoch. */
export interface TradingSession {
  readonly name: string;
  readonly color: string;
  readonly from: number;
  readonly to: number;
}

/** Those that lie in a range of time, at least in part, by city. */
export function sessionsBetween(from: number, to: number): readonly TradingSession[] {
  const first = Math.floor(from / DAY_MS) - 1;
  const days = Array.from({ length: Math.floor(to / DAY_MS) + 2 - first }, (_, at) => (first + at) * DAY_MS);
  const open = days.filter((day) => new Date(day).getUTCDay() % 6 !== 0);
  return SESSIONS.flatMap(({ name, color, opens, closes, clock, midnights }) =>
    open.flatMap((day) => {
      const midnight = midnights.get(day) ?? day - offsetOf(clock, day + DAY_MS / 2);
      midnights.set(day, midnight);
      const session = { name, color, from: midnight + opens * HOUR_MS, to: midnight + closes * HOUR_MS };
      return session.to > from && session.from < to ? [session] : [];
    }),
  );
}

/** What a clock is ahead of UTC: `GMT-04:00`, or `GMT` alone. Milliseconds. */
function offsetOf(clock: Intl.DateTimeFormat, time: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(clock.format(time)) ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}
