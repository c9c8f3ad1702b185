// Which bars the picture of a signal needs: its life with some of what came before and after, in the finest timeframe that is
// not too many bars.
import type { Timeframe } from '@tickwire/client';

const MINUTE = 60_000;
const FRAMES: readonly (readonly [Timeframe, number])[] = [
  ['1m', MINUTE],
  ['5m', 5 * MINUTE],
  ['15m', 15 * MINUTE],
  ['1h', 60 * MINUTE],
  ['4h', 240 * MINUTE],
  ['1d', 1_440 * MINUTE],
];
const MOST_BARS = 180;
const SHORTEST_MS = 20 * MINUTE;
const BEFORE = 0.5;
const AFTER = 0.2;

export interface PictureWindow {
  readonly timeframe: Timeframe;
  readonly barMs: number;
  /** Milliseconds since the epoch, on the edges of bars. */
  readonly from: number;
  readonly to: number;
}

/** `end`: its closing; null while it runs. */
export function pictureWindow(start: number, end: number | null, now: number): PictureWindow {
  const last = end ?? now;
  const life = Math.max(SHORTEST_MS, last - start);
  const from = start - life * BEFORE;
  const to = Math.min(
    end === null ? last + life * AFTER : Math.max(last + life * AFTER, start + life),
    now + life * AFTER,
  );
  const [timeframe, barMs] =
    FRAMES.find(([, ms]) => (to - from) / ms <= MOST_BARS) ?? (['1d', 1_440 * MINUTE] as const);
  return { timeframe, barMs, from: Math.floor(from / barMs) * barMs, to: Math.ceil(to / barMs) * barMs };
}
