// Plans the simulated history: which bars exist before a time, and how each is made. The shortest timeframe is generated from
// the path; each longer one is aggregated from the shorter one as far back as that reaches, and generated before it. Every
// region starts together with a bar of the next longer timeframe, so no bar is made in two ways.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type EpochMs, type HoursName, isMarketOpen, nextSessionChange } from '@tickwire/engine';

/** Somewhat more than one request can return. */
export const BARS_PER_TIMEFRAME = 520;

/** A bar to generate: its start on the grid, and the time in it during which the market is open. */
export interface BarSpan {
  readonly time: number;
  readonly from: number;
  readonly to: number;
}

export interface Region {
  readonly timeframe: Timeframe;
  /** Ascending; all before the start of the shorter timeframe. */
  readonly generated: readonly BarSpan[];
}

/** Regions from the shortest timeframe to the longest. */
export function planBars(hours: HoursName, until: EpochMs): Region[] {
  let reached: number = until;
  return TIMEFRAMES.map((timeframe, place) => {
    const length = TIMEFRAME_MS[timeframe];
    const longer = TIMEFRAMES[place + 1];
    const alignment = longer ? TIMEFRAME_MS[longer] : length;
    const generated: BarSpan[] = [];
    let count = 0;
    let start = Math.floor(until / length) * length;
    while (count < BARS_PER_TIMEFRAME || start % alignment !== 0) {
      start -= length;
      const span = openSpan(hours, start, start + length);
      if (!span) continue;
      count++;
      if (start < reached) generated.push(span);
    }
    reached = start;
    return { timeframe, generated: generated.reverse() };
  });
}

/** All complete minutes from `from` to `to`. */
export function planMinutes(hours: HoursName, from: EpochMs, to: EpochMs): Region {
  const minute = TIMEFRAME_MS['1m'];
  const generated: BarSpan[] = [];
  for (let start = Math.ceil(from / minute) * minute; start + minute <= to; start += minute) {
    const span = openSpan(hours, start, start + minute);
    if (span) generated.push(span);
  }
  return { timeframe: '1m', generated };
}

/** From the first opening to the last close within the bar; `null` if the market is closed all the time. */
export function openSpan(hours: HoursName, start: number, end: number): BarSpan | null {
  if (hours === 'always') return { time: start, from: start, to: end };
  let open = isMarketOpen(hours, asEpochMs(start));
  let from = open ? start : Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let at = start; ; ) {
    const change = nextSessionChange(hours, asEpochMs(at));
    if (open) to = Math.min(change, end);
    if (change >= end) break;
    open = !open;
    if (open && change < from) from = change;
    at = change;
  }
  return to > from ? { time: start, from, to } : null;
}
