// Input and result of parsing a feed. Separate from the parser, which loads feedsmith and runs on a worker thread.
import type { EpochMs } from '@tickwire/engine';

export const MAX_FEED_BYTES = 5 * 2 ** 20;

export type FeedFormat = 'rss' | 'atom' | 'rdf' | 'json';
export type ParseFailure = 'empty' | 'too_large' | 'too_deep' | 'too_slow' | 'not_a_feed' | 'malformed' | 'truncated';

export interface ParsedItem {
  /** The source's own id of the item, if it has one. */
  readonly guid: string | null;
  readonly url: string | null;
  /** As received: may contain markup, entities and control characters. */
  readonly title: string;
  readonly summary: string | null;
  /** As stated by the source; `null` if it states none that can be read. */
  readonly publishedAt: EpochMs | null;
}

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
