// Splits a request for bars into pages by time, for venues that take the start and the end of a page.

import type { VenueBarsRequest } from './venue.ts';
import { VENUE_BAR_MS } from './venue-bars.ts';

/** Start (inclusive) and end (exclusive) of pages of at most `size` bars, oldest first. */
export function barPages({ from, to, length }: VenueBarsRequest, size: number): { from: number; to: number }[] {
  const span = size * VENUE_BAR_MS[length];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / span)) }, (_, page) => ({
    from: from + page * span,
    to: Math.min(to, from + (page + 1) * span),
  }));
}
