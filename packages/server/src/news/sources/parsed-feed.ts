// Input and result of parsing a feed. Separate from the parser, which loads feedsmith and runs on a worker thread.
import type { RawItem } from '../news-source.ts';

export const MAX_FEED_BYTES = 5 * 2 ** 20;

export type FeedFormat = 'rss' | 'atom' | 'rdf' | 'json';
export type ParsedItem = Pick<RawItem, 'guid' | 'url' | 'title' | 'summary' | 'publishedAt'>;
export type ParseFailure = 'empty' | 'too_large' | 'too_deep' | 'too_slow' | 'not_a_feed' | 'malformed' | 'truncated';

export type ParsedFeed =
  | {
      readonly ok: true;
      readonly format: FeedFormat;
      readonly encoding: string;
      /** Newest first, then those without a date in the order of the feed. */
      readonly items: readonly ParsedItem[];
      /** Number of items beyond the limit or without title and summary. */
      readonly leftOut: number;
    }
  | { readonly ok: false; readonly failure: ParseFailure; readonly detail: string };

export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** URL of the feed, the base of relative links. */
  readonly url: string;
}

export const parseFailure = (failure: ParseFailure, detail: string): ParsedFeed => ({ ok: false, failure, detail });
