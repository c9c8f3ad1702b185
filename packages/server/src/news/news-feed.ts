// The news feed as the endpoint shows it: newest first by timestamp, filtered by category.
import type { NewsItem, NewsQuery } from '@tickwire/contract';

/** Items kept in memory; the endpoint shows at most 200. */
const KEPT_ITEMS = 2_000;

export class NewsFeed {
  /** Newest first. */
  readonly #items: NewsItem[] = [];

  add(item: NewsItem): void {
    let at = 0;
    while (at < this.#items.length && this.#items[at]!.timestamp > item.timestamp) at++;
    this.#items.splice(at, 0, item);
    if (this.#items.length > KEPT_ITEMS) this.#items.pop();
  }

  list({ category, limit }: NewsQuery): NewsItem[] {
    return this.#items.filter((item) => !category || category.includes(item.category)).slice(0, limit);
  }
}
