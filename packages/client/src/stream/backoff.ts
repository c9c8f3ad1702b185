// Exponential backoff with full jitter: after a restart of the service, its clients reconnect spread out over time.

export const FIRST_CEILING_MS = 500;
export const MAX_CEILING_MS = 30_000;

/** Milliseconds to wait before connection attempt `attempt`, 0 for the first one after a drop. */
export function backoffMs(attempt: number, random: () => number): number {
  // 2 ** 1024 is Infinity; the cap handles it.
  const ceiling = Math.min(MAX_CEILING_MS, FIRST_CEILING_MS * 2 ** attempt);
  return Math.floor(random() * ceiling);
}
