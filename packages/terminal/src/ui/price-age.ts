// The age of a price in words. Ages are in milliseconds; `null` means that there is no price.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tickwire/contract/durations.ts';

/** A price older than this is no longer called live. */
export const LIVE_WITHIN_MS = 10_000;
/** From this age on the market is called silent. */
export const SILENT_AFTER_MS = MINUTE_MS;

/** 3 s, 4 min, 2 h, 5 days: by default rounded down. */
export function spanOf(ms: number, whole = Math.floor): string {
  if (ms < MINUTE_MS) return `${whole(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${whole(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `${whole(ms / HOUR_MS)} h`;
  const days = whole(ms / DAY_MS);
  return days === 1 ? '1 day' : `${days} days`;
}

/** Age of the last tick of one instrument. */
export function tickAge(ageMs: number | null): string {
  if (ageMs === null) return 'no price yet';
  if (ageMs >= SILENT_AFTER_MS) return `no tick for ${spanOf(ageMs)}`;
  return ageMs < SECOND_MS ? 'just now' : `${spanOf(ageMs)} ago`;
}
