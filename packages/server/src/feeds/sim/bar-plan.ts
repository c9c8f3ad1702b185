// Which bars a calendar has before a time, and from which source each comes. The shortest timeframe is drawn from the path
// as far back as it must reach; each longer one is folded from the shorter one where that reaches, and drawn only before
// it. Every region begins where a bar of the next longer timeframe begins, so no bar has two sources.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type EpochMs, type HoursName, isOpen, nextChange } from '@tickwire/engine';

/** More than a request may ask for, with some to spare. */
export const BARS_PER_TIMEFRAME = 520;

/** A bar to be drawn: its start on the grid, and the open stretch in it. */
export interface Span {
  readonly time: number;
  readonly from: number;
  readonly to: number;
}

export interface Region {
  readonly timeframe: Timeframe;
  /** Ascending; all before the shorter timeframe begins. */
  readonly drawn: readonly Span[];
}

/** Regions from the shortest timeframe to the longest. */
export function planBars(hours: HoursName, until: EpochMs): Region[] {
  let reached: number = until;
  return TIMEFRAMES.map((timeframe, place) => {
    const length = TIMEFRAME_MS[timeframe];
    const longer = TIMEFRAMES[place + 1];
    const alignment = longer ? TIMEFRAME_MS[longer] : length;
    const drawn: Span[] = [];
    let count = 0;
    let start = Math.floor(until / length) * length;
    while (count < BARS_PER_TIMEFRAME || start % alignment !== 0) {
      start -= length;
      const span = openSpan(hours, start, start + length);
      if (!span) continue;
      count++;
      if (start < reached) drawn.push(span);
    }
    reached = start;
    return { timeframe, drawn: drawn.reverse() };
  });
}

/** All whole minutes from `from` to `to`. */
export function planMinutes(hours: HoursName, from: EpochMs, to: EpochMs): Region {
  const minute = TIMEFRAME_MS['1m'];
  const drawn: Span[] = [];
  for (let start = Math.ceil(from / minute) * minute; start + minute <= to; start += minute) {
    const span = openSpan(hours, start, start + minute);
    if (span) drawn.push(span);
  }
  return { timeframe: '1m', drawn };
}

/** The bar from the first open moment to the last close in it; null where the market is closed throughout. */
function openSpan(hours: HoursName, start: number, end: number): Span | null {
  if (hours === 'always') return { time: start, from: start, to: end };
  let open = isOpen(hours, asEpochMs(start));
  let from = open ? start : Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let at = start; ; ) {
    const change = nextChange(hours, asEpochMs(at));
    if (open) to = Math.min(change, end);
    if (change >= end) break;
    open = !open;
    if (open && change < from) from = change;
    at = change;
  }
  return to > from ? { time: start, from, to } : null;
}
