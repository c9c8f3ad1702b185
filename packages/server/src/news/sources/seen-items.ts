// What a source has shown before, in bounded memory.
import type { ReadItem } from './feed-reading.ts';

/** Well above the items taken of one feed: what is still in the feed is never forgotten. */
const REMEMBERED = 4_000;

export class SeenItems {
  /** Hash of an item's identity to the hash of its title; longest unseen first. */
  readonly #titles = new Map<bigint, bigint>();

  /** Remembers the item. True where it was not seen before, or its headline was another: that is news too. */
  add({ guid, url, title, summary }: Pick<ReadItem, 'guid' | 'url' | 'title' | 'summary'>): boolean {
    const identity = Bun.hash.xxHash64(guid ?? url ?? (title || (summary ?? '')));
    const headline = Bun.hash.xxHash64(title);
    const known = this.#titles.get(identity);
    this.#titles.delete(identity);
    this.#titles.set(identity, headline);
    if (this.#titles.size > REMEMBERED) this.#titles.delete(this.#titles.keys().next().value!);
    return known !== headline;
  }

  get size(): number {
    return this.#titles.size;
  }
}
