// The filter of the calendar, which is part of the address: `/calendar?impact=high,medium&country=US&symbol=EURUSD&week=1`.

import type { CalendarEvent } from '@tickwire/client';
import { SYMBOL_PATTERN } from '@tickwire/contract/symbol-pattern.ts';

export type Impact = CalendarEvent['impact'];
export const IMPACTS: readonly Impact[] = ['high', 'medium', 'low'];

export interface CalendarFilter {
  /** In the order of `IMPACTS`; empty for all. */
  readonly impacts: readonly Impact[];
  readonly country: string | null;
  readonly symbol: string | null;
  /** Weeks from the current one: 0 starts today, −1 a week earlier. */
  readonly week: number;
}

export const WHOLE_CALENDAR: CalendarFilter = { impacts: [], country: null, symbol: null, week: 0 };

const MOST_WEEKS = 51;

/** Ignores what is not valid. */
export function readCalendarFilter(search: string): CalendarFilter {
  const query = new URLSearchParams(search);
  const named = query.get('impact')?.split(',') ?? [];
  const impacts = IMPACTS.filter((impact) => named.includes(impact));
  const country = query.get('country')?.toUpperCase() ?? '';
  const symbol = query.get('symbol')?.toUpperCase() ?? '';
  const week = Number(query.get('week') ?? 0);
  return {
    impacts: impacts.length === IMPACTS.length ? [] : impacts,
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    symbol: SYMBOL_PATTERN.test(symbol) ? symbol : null,
    week: Number.isInteger(week) && Math.abs(week) <= MOST_WEEKS ? week : 0,
  };
}

export function calendarAddress({ impacts, country, symbol, week }: CalendarFilter): string {
  const query = new URLSearchParams();
  if (impacts.length > 0) query.set('impact', impacts.join(','));
  if (country !== null) query.set('country', country);
  if (symbol !== null) query.set('symbol', symbol);
  if (week !== 0) query.set('week', String(week));
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '/calendar' : `/calendar?${text}`;
}

export function toggleImpact({ impacts }: CalendarFilter, impact: Impact): readonly Impact[] {
  const chosen = IMPACTS.filter((each) => impacts.includes(each) !== (each === impact));
  return chosen.length === IMPACTS.length ? [] : chosen;
}
