// The news feed of the API: newest first by timestamp, then by descending id. This order is the same in memory, in the store
// and after a restart, so pages are stable. Items that are not in memory come from the store.
import {
  comparableIso,
  fromViewOf,
  NEWS_CATEGORIES,
  type NewsDetail,
  type NewsItem,
  type NewsQuery,
} from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';
import type { NewsPosition, NewsStore } from '../store/news-store.ts';
import { originOf } from './news-source.ts';

/** Maximum number of items in memory; the endpoint returns at most 200. */
export const MAX_ITEMS_IN_MEMORY = 2_000;

export interface NewsFeedOptions {
  readonly store: Pick<NewsStore, 'item' | 'pageAfter' | 'publishedAt'>;
  /** A source whose items are hidden; `null` for none. */
  readonly except: string | null;
}

type FeedPage = (NewsItem | NewsDetail)[];

export class NewsFeed {
  readonly #options: NewsFeedOptions;
  /** Newest first. */
  readonly #items: NewsDetail[] = [];
  readonly #known = new Set<string>();
  /** Whether the store may have older items. */
  #hasOlder = false;

  constructor(options: NewsFeedOptions) {
    this.#options = options;
  }

  /** A source whose items are hidden; `null` for none. */
  get except(): string | null {
    return this.#options.except;
  }

  /** Loads the items of the previous run, newest first. `more`: whether the store has older ones. */
  restore(items: readonly NewsDetail[], more = false): void {
    for (const item of items.toReversed()) this.#put(item);
    this.#hasOlder ||= more;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'news') this.#put(event.item);
      else if (event.kind === 'news_cluster') this.#recount(event.id, event.cluster);
    }
  };

  /** Answers from memory if it has all items of the page, else from the store. */
  list(query: NewsQuery): FeedPage | Promise<FeedPage> {
    const { before } = query;
    if (typeof before === 'string') {
      const at = this.#known.has(before) ? this.#indexOf(before) : -1;
      if (at < 0) return this.#hasOlder ? this.#afterId(query, before) : [];
      return this.#page(query, at + 1, placeOf(this.#items[at]!));
    }
    const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, query.to ?? Number.MAX_SAFE_INTEGER);
    return this.#page(query, 0, { time: end, id: '' });
  }

  /** One item, from memory or from the store; `undefined` if there is none, or if it is hidden. */
  async item(id: string): Promise<NewsDetail | undefined> {
    if (this.#known.has(id)) return this.#items[this.#indexOf(id)];
    const { store, except } = this.#options;
    const found = this.#hasOlder ? await store.item(id) : undefined;
    return found?.source === except ? undefined : found;
  }

  /** The newest items in memory that mention an instrument, with the sentiment for it, and where each comes from. */
  of(symbol: string): (NewsItem & { readonly origin: string })[] {
    const { found } = this.#inMemory(symbol.toUpperCase(), undefined, 0, Number.MAX_SAFE_INTEGER, 0, 10);
    return found.map((item) => ({ ...withoutDetail(fromViewOf(item, symbol.toUpperCase())), origin: originOf(item) }));
  }

  /** `start`: index in memory from which the page may start. `place`: position in the feed that the page follows. */
  #page(query: NewsQuery, start: number, place: NewsPosition): FeedPage | Promise<FeedPage> {
    const { category, detail, limit } = query;
    const end = Math.min(place.id === '' ? place.time : place.time + 1, query.to ?? Number.MAX_SAFE_INTEGER);
    const symbol = query.symbol?.toUpperCase();
    const { found, complete } = this.#inMemory(symbol, category, earliest(query), end, start, limit);
    if (!complete && this.#hasOlder) return this.#fromStore(query, place);
    return detail ? found : found.map(withoutDetail);
  }

  /** `end`: exclusive. `complete`: whether no item of the page can be missing. */
  #inMemory(
    symbol: string | undefined,
    category: NewsQuery['category'],
    from: number,
    end: number,
    start: number,
    limit: number,
  ): { readonly found: NewsDetail[]; readonly complete: boolean } {
    const [first, last] = [comparableIso(from), comparableIso(end - 1)];
    const found: NewsDetail[] = [];
    for (let at = start; at < this.#items.length; at++) {
      const item = this.#items[at]!;
      if (item.timestamp > last) continue;
      if (item.timestamp < first) return { found, complete: true };
      if (category && !category.includes(item.category)) continue;
      if (symbol === undefined || item.symbols.includes(symbol)) found.push(item);
      if (found.length === limit) return { found, complete: true };
    }
    return { found, complete: false };
  }

  async #afterId(query: NewsQuery, id: string): Promise<FeedPage> {
    const time = await this.#options.store.publishedAt(id);
    return time === undefined ? [] : this.#fromStore(query, { time, id });
  }

  async #fromStore(query: NewsQuery, place: NewsPosition): Promise<FeedPage> {
    const { category = NEWS_CATEGORIES, symbol, to, detail, limit } = query;
    const { store, except } = this.#options;
    const filter = {
      categories: [...new Set(category)],
      symbol: symbol?.toUpperCase() ?? null,
      from: earliest(query),
      except,
    };
    const last = to !== undefined && to <= place.time ? { time: to, id: '' } : place;
    const found = await store.pageAfter(last, filter, limit);
    return detail ? found : found.map(withoutDetail);
  }

  /** Inserts by time and id; a revision replaces its item. */
  #put(item: NewsDetail): void {
    if (this.#known.has(item.id)) this.#items.splice(this.#indexOf(item.id), 1);
    this.#known.add(item.id);
    let at = 0;
    while (at < this.#items.length && precedes(this.#items[at]!, item)) at++;
    this.#items.splice(at, 0, item);
    if (this.#items.length <= MAX_ITEMS_IN_MEMORY) return;
    this.#known.delete(this.#items.pop()!.id);
    this.#hasOlder = true;
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

const precedes = (a: NewsDetail, b: NewsDetail): boolean =>
  a.timestamp > b.timestamp || (a.timestamp === b.timestamp && a.id > b.id);

const placeOf = ({ timestamp, id }: NewsDetail): NewsPosition => ({ time: Date.parse(timestamp), id });

/** The earliest time of the query: `since` is exclusive, `from` is inclusive. */
const earliest = ({ since, from }: NewsQuery): number => Math.max(from ?? 0, since === undefined ? 0 : since + 1);

/** Without the fields that `detail=true` adds. */
const withoutDetail = ({ title, category, sentiment, sentiment_score, timestamp }: NewsDetail): NewsItem => ({
  title,
  category,
  sentiment,
  sentiment_score,
  timestamp,
});
