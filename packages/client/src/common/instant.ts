// How callers state a point in time.

/** A point in time: a Date, an ISO 8601 string, or Unix time in seconds or milliseconds. */
export type Instant = Date | string | number;
