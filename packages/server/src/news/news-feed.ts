// The news feed as the endpoint shows it: newest first by timestamp, of the same time by id, so that the order is the same
// in memory, in the store and after a restart, and a page ends at one place. What memory does not hold comes from the store.
import { NEWS_CATEGORIES, type NewsDetail, type NewsItem, type NewsQuery } from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';
import type { NewsPlace, NewsStore } from '../store/news-store.ts';

/** Items kept in memory; the endpoint shows at most 200. */
export const KEPT_ITEMS = 2_000;

export interface NewsFeedOptions {
  readonly store: Pick<NewsStore, 'behind' | 'publishedAt'>;
  /** A source whose items are not shown; null for none. */
  readonly except: string | null;
}

type Shown = (NewsItem | NewsDetail)[];

export class NewsFeed {
  readonly #options: NewsFeedOptions;
  /** Newest first. */
  readonly #items: NewsDetail[] = [];
  readonly #known = new Set<string>();
  /** There may be older ones in the store. */
  #older = false;

  constructor(options: NewsFeedOptions) {
    this.#options = options;
  }

  /** A source whose items are not shown; null for none. */
  get except(): string | null {
    return this.#options.except;
  }

  /** Takes up what an earlier run had, newest first; `more` where the store has older ones. */
  restore(items: readonly NewsDetail[], more = false): void {
    for (const item of items.toReversed()) this.#put(item);
    this.#older ||= more;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'news') this.#put(event.item);
      else if (event.kind === 'news_cluster') this.#recount(event.id, event.cluster);
    }
  };

  /** From memory where that holds all there is to say. */
  list(query: NewsQuery): Shown | Promise<Shown> {
    const { before } = query;
    if (typeof before === 'string') {
      const at = this.#known.has(before) ? this.#indexOf(before) : -1;
      if (at < 0) return this.#older ? this.#stored(query, before) : [];
      return this.#listed(query, at + 1, placeOf(this.#items[at]!));
    }
    const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, (query.to ?? Number.MAX_SAFE_INTEGER - 1) + 1);
    return this.#listed(query, 0, { time: end, id: '' });
  }

  /** What mentions an instrument, newest first, as far as memory goes. */
  of(symbol: string): NewsItem[] {
    return this.#remembered(symbol.toUpperCase(), undefined, 0, Number.MAX_SAFE_INTEGER, 0, 10).found.map(documented);
  }

  /** `start`: where in memory the page may begin; `place`: what everything on it stands behind. */
  #listed(query: NewsQuery, start: number, place: NewsPlace): Shown | Promise<Shown> {
    const { category, detail, limit } = query;
    const end = Math.min(place.id === '' ? place.time - 1 : place.time, query.to ?? Number.MAX_SAFE_INTEGER);
    const symbol = query.symbol?.toUpperCase();
    const { found, whole } = this.#remembered(symbol, category, lowest(query), end, start, limit);
    if (!whole && this.#older) return this.#behind(query, place);
    return detail ? found : found.map(documented);
  }

  /** Whole: nothing that belongs to the page can be missing. */
  #remembered(
    symbol: string | undefined,
    category: NewsQuery['category'],
    from: number,
    end: number,
    start: number,
    limit: number,
  ): { readonly found: NewsDetail[]; readonly whole: boolean } {
    const [first, last] = [isoOf(from), isoOf(end)];
    const found: NewsDetail[] = [];
    for (let at = start; at < this.#items.length; at++) {
      const item = this.#items[at]!;
      if (item.timestamp > last) continue;
      if (item.timestamp < first) return { found, whole: true };
      if (category && !category.includes(item.category)) continue;
      if (symbol === undefined || item.symbols.includes(symbol)) found.push(item);
      if (found.length === limit) return { found, whole: true };
    }
    return { found, whole: false };
  }

  async #stored(query: NewsQuery, id: string): Promise<Shown> {
    const time = await this.#options.store.publishedAt(id);
    return time === undefined ? [] : this.#behind(query, { time, id });
  }

  async #behind(query: NewsQuery, place: NewsPlace): Promise<Shown> {
    const { category = NEWS_CATEGORIES, symbol, to, detail, limit } = query;
    const { store, except } = this.#options;
    const filter = {
      categories: [...new Set(category)],
      symbol: symbol?.toUpperCase() ?? null,
      from: lowest(query),
      except,
    };
    const last = to !== undefined && to < place.time ? { time: to + 1, id: '' } : place;
    const found = await store.behind(last, filter, limit);
    return detail ? found : found.map(documented);
  }

  /** In its place by time and id; a revision in the place of what it revises. */
  #put(item: NewsDetail): void {
    if (this.#known.has(item.id)) this.#items.splice(this.#indexOf(item.id), 1);
    this.#known.add(item.id);
    let at = 0;
    while (at < this.#items.length && isAhead(this.#items[at]!, item)) at++;
    this.#items.splice(at, 0, item);
    if (this.#items.length <= KEPT_ITEMS) return;
    this.#known.delete(this.#items.pop()!.id);
    this.#older = true;
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

const isAhead = (a: NewsDetail, b: NewsDetail): boolean =>
  a.timestamp > b.timestamp || (a.timestamp === b.timestamp && a.id > b.id);

const placeOf = ({ timestamp, id }: NewsDetail): NewsPlace => ({ time: Date.parse(timestamp), id });

/** The first time that may be shown: `since` is exclusive, `from` is not. */
const lowest = ({ since, from }: NewsQuery): number => Math.max(from ?? 0, since === undefined ? 0 : since + 1);

/** Times in the list are compared as they are written; all have the same length up to the year 9999. */
const LAST_WRITTEN = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const isoOf = (time: number): string => new Date(Math.max(0, Math.min(time, LAST_WRITTEN))).toISOString();

/** The documented fields alone. */
const documented = ({ title, category, sentiment, sentiment_score, timestamp }: NewsDetail): NewsItem => ({
  title,
  category,
  sentiment,
  sentiment_score,
  timestamp,
});
