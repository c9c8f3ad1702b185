// Counts the signals published since a time, by publisher. Records are numbered in the order they were written, so only the
// newest ones are read. Times of neighbouring records may be out of order by the difference between the clocks of two nodes.
import { HOUR_MS } from '@tickwire/engine';

/** More than the clocks of two nodes can differ. */
export const CLOCK_SKEW_MS = HOUR_MS;

export interface PublisherCount {
  readonly publisher: string;
  readonly count: number;
}

/** `earlier` and `since` are the placeholders of a time safely before, and of the time itself. */
export const publishedSince = (earlier: string, since: string): string =>
  `SELECT publisher, count(*) AS count FROM signals
   WHERE published_n > coalesce(
     (SELECT published_n FROM signals WHERE published_at < ${earlier} ORDER BY published_n DESC LIMIT 1), -1)
   AND published_at >= ${since} GROUP BY publisher`;
