// The known values of the corpus, and times to place them at. Files and expectations are both made from these, without any
// code of the importer.
import values from './values.json' with { type: 'json' };

export type BarValues = readonly [open: number, high: number, low: number, close: number, volume: number];
export type QuoteValues = readonly [ms: number, bid: number, ask: number, bidSize: number, askSize: number];
export type TradeValues = readonly [ms: number, price: number, size: number, side: 'buy' | 'sell', id: number];

export const EURUSD = values.eurusd as unknown as readonly BarValues[];
export const GBPUSD = values.gbpusd as unknown as readonly BarValues[];
export const BTCUSD = values.btcusd as unknown as readonly BarValues[];
export const QUOTES = values.quotes as unknown as readonly QuoteValues[];
export const TRADES = values.trades as unknown as readonly TradeValues[];

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Tuesday, in winter time on both sides of the Atlantic. Bars and ticks start here unless an entry says otherwise. */
export const START = Date.parse('2024-03-05T10:00:00Z');
export const MIDNIGHT = Date.parse('2024-03-05T00:00:00Z');

/** Times of `count` bars. */
export const times = (start: number, step: number, count = 12): number[] =>
  Array.from({ length: count }, (_, index) => start + index * step);

/** A time in a zone that is `hours` ahead of UTC, by a pattern of YYYY MM DD hh mm ss SSS. */
export function dated(time: number, pattern: string, hours = 0): string {
  const [date, clock] = new Date(time + hours * HOUR).toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-') as [string, string, string];
  const parts: Record<string, string> = {
    YYYY: year,
    MM: month,
    DD: day,
    hh: clock.slice(0, 2),
    mm: clock.slice(3, 5),
    ss: clock.slice(6, 8),
    SSS: clock.slice(9, 12),
  };
  return pattern.replace(/YYYY|MM|DD|hh|mm|ss|SSS/g, (name) => parts[name]!);
}
