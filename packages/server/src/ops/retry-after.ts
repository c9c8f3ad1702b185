// The Retry-After header (RFC 9110, 10.2.3): seconds, or a date.

/** Milliseconds from `now` that the header asks to wait; `null` if it is missing or invalid. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | null {
  const text = header?.trim();
  if (!text) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
