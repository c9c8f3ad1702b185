// Which bars of the past to fetch from a venue, and in which order. Pure functions of the time and of what is known.
//
// There are three levels: minutes for 7 days, hours for a year, days for all that the venue has. Each level begins at 00:00 UTC of
// a day, and ends where the next shorter one begins, so every stored bar is made of one level. The exception is a venue that keeps
// less than a day of minutes: its minutes begin at a full hour, and the hours of that day are fetched as well.
import { asEpochMs, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { VenueBarLength } from '../../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { TimeRange } from '../write/covered-ranges.ts';

/** Clocks of venues may differ from ours by this much. */
export const CLOCK_TOLERANCE_MS = 10_000;
/** Shortest first: the chart that most traders look at has its bars first. */
export const HISTORY_LEVELS = ['1m', '1h', '1d'] as const satisfies readonly VenueBarLength[];

const MINUTES_FOR = 7 * DAY_MS;
const LONGEST_PAUSE_MS = 14 * DAY_MS;
const HOURS_FOR = 365 * DAY_MS;
/** The first day of Bitcoin. No venue has older bars of it, and the series of others are shorter. */
const EARLIEST = Date.UTC(2009, 0, 3);
/** Bars of one request, about. */
const REQUEST_BARS = 1_000;

export type OldestBar = (length: VenueBarLength, now: EpochMs) => EpochMs;

/** The range of each level. `until`: start of the first minute that needs no bar of the venue. */
export function levelsAt(now: number, until: number, oldestBar?: OldestBar): Record<VenueBarLength, TimeRange> {
  const today = floor(now, DAY_MS);
  const oldest = (length: VenueBarLength): number => oldestBar?.(length, asEpochMs(now)) ?? EARLIEST;
  const minutes = Math.max(today - MINUTES_FOR, ceil(oldest('1m'), HOUR_MS));
  const hoursEnd = Math.min(ceil(minutes, DAY_MS), floor(until, HOUR_MS));
  const hours = Math.min(Math.max(today - HOURS_FOR, ceil(oldest('1h'), DAY_MS)), ceil(minutes, DAY_MS));
  const daysEnd = Math.min(hours, floor(until, DAY_MS));
  return {
    '1m': rangeOf(minutes, floor(until, MINUTE_MS)),
    '1h': rangeOf(hours, hoursEnd),
    '1d': rangeOf(Math.max(EARLIEST, ceil(oldest('1d'), DAY_MS)), daysEnd),
  };
}

/** The parts of a range, in whole bars, that are not completely known. Ascending, and without touching each other. */
export function missingRanges(
  { from, to }: TimeRange,
  length: VenueBarLength,
  known: readonly TimeRange[],
): TimeRange[] {
  const unit = VENUE_BAR_MS[length];
  const missing: { from: number; to: number }[] = [];
  let start = from;
  for (const range of [...known, { from: to, to }].sort((a, b) => a.from - b.from)) {
    const end = Math.min(range.from, to);
    if (end > start) {
      const part = { from: floor(start, unit), to: Math.min(ceil(end, unit), to) };
      const last = missing.at(-1);
      if (last && part.from <= last.to) last.to = Math.max(last.to, part.to);
      else missing.push(part);
    }
    start = Math.max(start, range.to);
  }
  return missing;
}

/**
 * The newest request for missing bars; known ones between them are requested as well. `null` if none is missing. Minutes and hours
 * are cut at whole days, so that longer bars are complete at once, unless one request has room for all minutes. `most`: bars that a
 * request may have; a day of minutes in any case.
 */
export function nextRequest(
  missing: readonly TimeRange[],
  length: VenueBarLength,
  most = REQUEST_BARS,
): TimeRange | null {
  const newest = missing.at(-1);
  if (!newest) return null;
  const { to } = newest;
  // Most instruments are younger than many days: a longer request would cost more than it finds.
  const room = (length === '1d' ? REQUEST_BARS : most) * VENUE_BAR_MS[length];
  const span = Math.max(DAY_MS, floor(room, DAY_MS));
  const isOne = missing[0]!.from >= to - Math.max(span, room);
  const end = length === '1m' ? ceil(to, DAY_MS) : to;
  const earliest = isOne ? missing[0]!.from : end - span;
  const first = missing.find((range) => range.to > earliest)!;
  return { from: Math.max(first.from, earliest), to };
}

/**
 * Whether a response without bars says that the venue has none from before either. A market may be closed for days, but not for
 * weeks.
 */
export const provesStart = ({ from, to }: TimeRange, length: VenueBarLength, bars: number): boolean =>
  bars === 0 && length !== '1m' && isLongPause({ from, to });

/** Whether a venue that has no bars for this long, and older ones neither, has begun afterwards. */
export const isLongPause = ({ from, to }: TimeRange): boolean => to - from >= LONGEST_PAUSE_MS;

/** The parts of ascending ranges within another one. */
export const within = (ranges: readonly TimeRange[], { from, to }: TimeRange): TimeRange[] =>
  ranges.flatMap((range) => {
    const part = { from: Math.max(range.from, from), to: Math.min(range.to, to) };
    return part.to > part.from ? part : [];
  });

export const countBars = (ranges: readonly TimeRange[], length: VenueBarLength): number =>
  ranges.reduce((sum, { from, to }) => sum + (to - from) / VENUE_BAR_MS[length], 0);

/** Ranges without the parts that lie in others. */
export const without = (ranges: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] =>
  others.reduce<TimeRange[]>(
    (rest, { from, to }) =>
      rest.flatMap((range) => [
        ...within([range], { from: Number.NEGATIVE_INFINITY, to: from }),
        ...within([range], { from: to, to: Number.POSITIVE_INFINITY }),
      ]),
    [...ranges],
  );

/** Ascending, each time once. */
export function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

const rangeOf = (from: number, to: number): TimeRange => ({ from, to: Math.max(from, to) });
const floor = (time: number, unit: number): number => Math.floor(time / unit) * unit;
const ceil = (time: number, unit: number): number => Math.ceil(time / unit) * unit;
