// What goes into the reading of a feed and what comes out. Apart from the reader itself, which brings a parser of every
// dialect along and runs in a thread of its own.
import type { RawItem } from '../raw-item.ts';

export const MAX_FEED_BYTES = 5 * 2 ** 20;

export type Dialect = 'rss' | 'atom' | 'rdf' | 'json';
export type ReadItem = Pick<RawItem, 'guid' | 'url' | 'title' | 'summary' | 'publishedAt'>;
export type Refusal = 'empty' | 'too_large' | 'too_deep' | 'too_slow' | 'not_a_feed' | 'malformed' | 'truncated';

export type FeedReading =
  | {
      readonly ok: true;
      readonly dialect: Dialect;
      readonly encoding: string;
      /** Newest first; those without a date after them, in the order of the feed. */
      readonly items: readonly ReadItem[];
      /** Items beyond the bound, and such with neither title nor summary. */
      readonly leftOut: number;
    }
  | { readonly ok: false; readonly refusal: Refusal; readonly detail: string };

export interface FeedBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Where it was read: relative links start here. */
  readonly url: string;
}

export const refused = (refusal: Refusal, detail: string): FeedReading => ({ ok: false, refusal, detail });
