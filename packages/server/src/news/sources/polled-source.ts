// State of one polled feed of news, with the items that it has delivered.
import type { NewsCategory } from '@tickwire/contract';
import { asEpochMs, DAY_MS } from '@tickwire/engine';
import type { ParsedItem } from '../../documents/parsed-feed.ts';
import { type DocumentSource, PolledDocument } from '../../documents/polled-document.ts';
import { MAX_AHEAD_MS, type RawItem } from '../news-source.ts';
import { SeenItems } from './seen-items.ts';

export interface FeedSource extends DocumentSource {
  /** `null` if the source covers several categories. */
  readonly category: NewsCategory | null;
  readonly weight: number;
}

/** Maximum age of items taken from the first poll of a source. */
const FIRST_WINDOW_MS = DAY_MS;

export class PolledSource extends PolledDocument<FeedSource> {
  readonly #seen = new SeenItems();
  #hasPolled = false;

  /** Records the items of a feed and returns the new ones, oldest first. */
  takeNew(items: readonly ParsedItem[], now: number): RawItem[] {
    const { name, category, weight } = this.source;
    const from = this.#hasPolled ? null : now - FIRST_WINDOW_MS;
    this.#hasPolled = true;
    const fresh = items
      // A date in the future is wrong, and shows no more than a missing one how old the item is.
      .map((item) => ((item.publishedAt ?? 0) > now + MAX_AHEAD_MS ? { ...item, publishedAt: null } : item))
      // Every item is remembered, even if it is too old. An item without a date may be of any age.
      .filter((item) => this.#seen.add(item) && (from === null || (item.publishedAt ?? 0) >= from))
      .map((item): RawItem => ({ source: name, account: null, category, weight, ...item, seenAt: asEpochMs(now) }))
      .reverse();
    this.received(fresh.length, now);
    return fresh;
  }
}
