// The store of news as of the clock of a replay: each item in the revision that was stored then. How many sources had reported it is
// not known of an earlier time, so it counts one.
import { comparableIso, fromViewOf, type NewsDetail } from '@tickwire/contract';
import {
  compareText,
  type NewsFilter,
  type NewsPosition,
  type NewsStore,
  type SentimentRow,
} from '../store/news-store.ts';

type NewsReads = Pick<NewsStore, 'item' | 'pageAfter' | 'publishedAt' | 'sentiment'>;
export type NewsPast = NewsReads & Pick<NewsStore, 'replacedAfter'>;

export function asOfNews(store: NewsPast, clock: () => number): NewsReads {
  /**
   * Items that were revised since, as they were; `knownBy` leaves them out. They are read after the others: an item that is revised
   * in between is then found twice, and not missed.
   */
  const revisedLater = (): Promise<readonly NewsDetail[]> => store.replacedAfter(clock());
  const revisedLaterOf = async (id: string): Promise<NewsDetail | undefined> =>
    (await revisedLater()).find((item) => item.id === id);

  return {
    async item(id) {
      const item = (await store.item(id, clock())) ?? (await revisedLaterOf(id));
      return item && alone(item);
    },
    async pageAfter(position, filter, limit) {
      const found = await store.pageAfter(position, { ...filter, knownBy: clock() }, limit);
      const others = (await revisedLater()).filter((item) => isOnPage(item, position, filter));
      const byId = new Map([...found, ...others].map((item) => [item.id, item]));
      return [...byId.values()].sort(newestFirst).slice(0, limit).map(alone);
    },
    async publishedAt(id) {
      const published = await store.publishedAt(id, clock());
      if (published !== undefined) return published;
      const item = await revisedLaterOf(id);
      return item && Date.parse(item.timestamp);
    },
    async sentiment(filter, intervalMs) {
      // Counts have no ids: they are read again if an item was revised in between.
      let before = await revisedLater();
      for (;;) {
        const rows = await store.sentiment({ ...filter, knownBy: clock() }, intervalMs);
        const after = await revisedLater();
        if (after.length === before.length) {
          const others = after.filter((item) => isIn(item, filter));
          return withItems(rows, others, filter.symbol, intervalMs);
        }
        before = after;
      }
    },
  };
}

/** As if one source had reported it. */
export const alone = (item: NewsDetail): NewsDetail => ({ ...item, cluster: 1 });

const newestFirst = (a: NewsDetail, b: NewsDetail): number =>
  compareText(b.timestamp, a.timestamp) || compareText(b.id, a.id);

function isIn({ category, symbols, timestamp, source }: NewsDetail, filter: NewsFilter): boolean {
  if (!filter.categories.includes(category) || source === filter.except) return false;
  return timestamp >= comparableIso(filter.from) && (filter.symbol === null || symbols.includes(filter.symbol));
}

function isOnPage(item: NewsDetail, { time, id }: NewsPosition, filter: NewsFilter): boolean {
  const at = Date.parse(item.timestamp);
  return isIn(item, filter) && (at < time || (at === time && item.id < id));
}

/** Counts with a few more items. */
function withItems(
  rows: readonly SentimentRow[],
  items: readonly NewsDetail[],
  symbol: string | null,
  intervalMs: number,
): SentimentRow[] {
  const byKey = new Map(rows.map((row) => [`${row.time} ${row.category}`, row]));
  for (const item of items) {
    const { category, timestamp } = item;
    const published = Date.parse(timestamp);
    const time = published - (published % intervalMs);
    const key = `${time} ${category}`;
    const row = byKey.get(key) ?? { time, category, bullish: 0, neutral: 0, bearish: 0, meanScore: 0 };
    const count = row.bullish + row.neutral + row.bearish;
    const { sentiment, sentiment_score: score } = fromViewOf(item, symbol);
    const meanScore = (row.meanScore * count + score) / (count + 1);
    byKey.set(key, { ...row, [sentiment]: row[sentiment] + 1, meanScore });
  }
  return [...byKey.values()].sort((a, b) => a.time - b.time || compareText(a.category, b.category));
}
