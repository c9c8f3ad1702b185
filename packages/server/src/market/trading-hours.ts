// Trading hours of instruments in responses, from their calendars.
import {
  DEFAULT_HOURS_DAYS,
  type HoursQuery,
  type InstrumentHours,
  iso,
  MAX_HOURS_DAYS,
  type TradingHours,
} from '@tickwire/contract';
import {
  asEpochMs,
  closedDays,
  DAY_MS,
  type HoursName,
  type InstrumentSpec,
  timeZoneOf,
  tradingSessions,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';

export function tradingHoursOf({ symbol, hours }: InstrumentSpec, query: HoursQuery, now: number): TradingHours {
  const length = DEFAULT_HOURS_DAYS * DAY_MS;
  const from = asEpochMs(query.from ?? (query.to === undefined ? now : Math.max(0, query.to - length)));
  const to = asEpochMs(query.to ?? from + length);
  if (from > to || to - from > MAX_HOURS_DAYS * DAY_MS) {
    const allowed = `a range of at most ${MAX_HOURS_DAYS} days that does not end before it starts`;
    const errors = [{ parameter: 'from', value: iso(from), allowed }];
    throw new ServiceError('invalid_parameter', `from and to must be ${allowed}`, { errors });
  }
  const { timezone, sessions } = hoursIn(hours, from, to);
  return { symbol, timezone, sessions, closed: closedDays(hours, from, to) };
}

/** The hours of the coming days. They change with the UTC day only. */
export function comingHours(hours: HoursName, now: number): InstrumentHours {
  const today = now - (now % DAY_MS);
  return { calendar: hours, ...hoursIn(hours, today, today + DEFAULT_HOURS_DAYS * DAY_MS) };
}

const hoursIn = (hours: HoursName, from: number, to: number): Pick<TradingHours, 'timezone' | 'sessions'> => ({
  timezone: timeZoneOf(hours),
  sessions: tradingSessions(hours, asEpochMs(from), asEpochMs(to)).map(({ open, close }) => ({
    open: iso(open),
    close: iso(close),
  })),
});
