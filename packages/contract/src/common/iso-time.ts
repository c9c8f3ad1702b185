// Times as text: ISO 8601 in UTC, to the millisecond. Times are epoch milliseconds.

/** The last instant that an ISO string with a four-digit year can express. */
export const LAST_INSTANT = 253_402_300_799_999;

export const iso = (time: number): string => new Date(time).toISOString();

export const isoOrNull = <T extends number | null>(time: T): T extends null ? null : string =>
  (time === null ? null : iso(time)) as T extends null ? null : string;

/** Compares like the time itself: texts of four-digit years have the same length. Other times become the nearest of these. */
export const comparableIso = (time: number): string => iso(Math.max(0, Math.min(time, LAST_INSTANT)));
