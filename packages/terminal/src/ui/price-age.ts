// The age of a price in words. Ages are in milliseconds; `null` means that there is no price.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A price older than this is no longer called live. */
export const LIVE_WITHIN_MS = 10_000;
/** From this age on the market is called silent. */
export const SILENT_AFTER_MS = MINUTE;

/** 3 s, 4 min, 2 h, 5 days: by default rounded down. */
export function spanOf(ms: number, whole = Math.floor): string {
  if (ms < MINUTE) return `${whole(ms / SECOND)} s`;
  if (ms < HOUR) return `${whole(ms / MINUTE)} min`;
  if (ms < DAY) return `${whole(ms / HOUR)} h`;
  const days = whole(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** Age of the last tick of one instrument. */
export function tickAge(ageMs: number | null): string {
  if (ageMs === null) return 'no price yet';
  if (ageMs >= SILENT_AFTER_MS) return `no tick for ${spanOf(ageMs)}`;
  return ageMs < SECOND ? 'just now' : `${spanOf(ageMs)} ago`;
}
