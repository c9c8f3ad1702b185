// The news feed as the endpoint shows it: newest first by timestamp, filtered by category, symbol and time.
import type { NewsDetail, NewsItem, NewsQuery } from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';

/** Items kept in memory; the endpoint shows at most 200. */
export const KEPT_ITEMS = 2_000;

export class NewsFeed {
  /** Newest first. */
  readonly #items: NewsDetail[] = [];
  readonly #known = new Set<string>();

  /** Takes up what an earlier run had, newest first. */
  restore(items: readonly NewsDetail[]): void {
    for (const item of items.toReversed()) this.#put(item);
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'news') this.#put(event.item);
      else if (event.kind === 'news_cluster') this.#recount(event.id, event.cluster);
    }
  };

  list({ category, symbol, since, detail, limit }: NewsQuery): (NewsItem | NewsDetail)[] {
    const wanted = symbol?.toUpperCase();
    const after = since === undefined ? null : new Date(since).toISOString();
    const found: NewsDetail[] = [];
    for (const item of this.#items) {
      if (found.length === limit || (after !== null && item.timestamp <= after)) break;
      if (category && !category.includes(item.category)) continue;
      if (wanted === undefined || item.symbols.includes(wanted)) found.push(item);
    }
    return detail ? found : found.map(documented);
  }

  /** What mentions an instrument, newest first. */
  of(symbol: string): NewsItem[] {
    return this.list({ category: undefined, symbol, since: undefined, detail: false, limit: 10 });
  }

  /** In its place by time; a revision in the place of what it revises. */
  #put(item: NewsDetail): void {
    if (this.#known.has(item.id)) this.#items.splice(this.#indexOf(item.id), 1);
    this.#known.add(item.id);
    let at = 0;
    while (at < this.#items.length && this.#items[at]!.timestamp > item.timestamp) at++;
    this.#items.splice(at, 0, item);
    if (this.#items.length > KEPT_ITEMS) this.#known.delete(this.#items.pop()!.id);
  }

  #recount(id: string, cluster: number): void {
    if (!this.#known.has(id)) return;
    const at = this.#indexOf(id);
    this.#items[at] = { ...this.#items[at]!, cluster };
  }

  #indexOf(id: string): number {
    return this.#items.findIndex((item) => item.id === id);
  }
}

/** The documented fields alone. */
const documented = ({ title, category, sentiment, sentiment_score, timestamp }: NewsDetail): NewsItem => ({
  title,
  category,
  sentiment,
  sentiment_score,
  timestamp,
});
