// Remembers the items that a source has already delivered, in bounded memory.
import type { ParsedItem } from '../../documents/parsed-feed.ts';
import { LruMap } from '../../work/lru-map.ts';

/** Well above the item limit of a feed, so that items still in the feed are never forgotten. */
const MAX_ITEMS = 4_000;

export class SeenItems {
  /** From the hash of an item's identity to the hash of its title. */
  readonly #titles = new LruMap<bigint, bigint>(MAX_ITEMS);

  /** Remembers the item. Returns `true` if it is new or its headline has changed. */
  add({ guid, url, title, summary }: Pick<ParsedItem, 'guid' | 'url' | 'title' | 'summary'>): boolean {
    const identity = Bun.hash.xxHash64(guid ?? url ?? (title || (summary ?? '')));
    const headline = Bun.hash.xxHash64(title);
    const known = this.#titles.get(identity);
    this.#titles.set(identity, headline);
    return known !== headline;
  }
}
