// The news index (table `news_listed`): each item under every symbol it mentions and under '' for all items, so that a page
// of any of them is read in index order.
import type { Database } from 'bun:sqlite';
import type { NewsDetail } from '@tickwire/contract';
import { compareText, type NewsFilter, type NewsPosition, type SentimentRow, type StoredNews } from '../news-store.ts';
import { toNewsDetail } from '../sql/rows.ts';

type Summed = Omit<SentimentRow, 'time' | 'category' | 'meanScore'> & { readonly meanScore: number | null };

/** Writes the index entries of items in place of their old ones: a revision may have other symbols or another category. */
export function indexNews(database: Database, items: readonly StoredNews[]): void {
  const remove = database.query('DELETE FROM news_listed WHERE id = ?');
  const insert = database.query(
    `INSERT INTO news_listed (symbol, category, published_at, id, source, sentiment, score)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { item } of items) {
    const { id, category, source, sentiment, sentiment_score: score } = item;
    remove.run(id);
    for (const symbol of new Set(['', ...item.symbols]))
      insert.run(symbol, category, Date.parse(item.timestamp), id, source, sentiment, score);
  }
}

/** Reads each category in index order and merges the categories. */
export function newsPageAfter(
  database: Database,
  position: NewsPosition,
  filter: NewsFilter,
  limit: number,
): NewsDetail[] {
  const page = database.query<NewsPosition, [string, string, number, number, string, string | null, number]>(
    `SELECT published_at AS time, id FROM news_listed
     WHERE symbol = ? AND category = ? AND published_at >= ? AND (published_at, id) < (?, ?) AND source IS NOT ?
     ORDER BY published_at DESC, id DESC LIMIT ?`,
  );
  const item = database.query<{ item: string }, [string]>('SELECT item FROM news WHERE id = ?');
  const { symbol, from, except } = filter;
  return filter.categories
    .flatMap((category) => page.all(symbol ?? '', category, from, position.time, position.id, except, limit))
    .sort((a, b) => b.time - a.time || compareText(b.id, a.id))
    .slice(0, limit)
    .map(({ id }) => toNewsDetail(item.get(id)!.item));
}

/** Yields to the event loop between intervals: a month of news takes a while. */
export async function sentimentByInterval(
  database: Database,
  filter: NewsFilter,
  intervalMs: number,
): Promise<SentimentRow[]> {
  const rows: SentimentRow[] = [];
  const { first, last } = publishedSince(database, filter.from);
  const start = Math.max(filter.from, (first ?? 0) - ((first ?? 0) % intervalMs));
  for (let from = start; last !== null && from <= last; from = from - (from % intervalMs) + intervalMs) {
    rows.push(...sentimentOfInterval(database, filter, from, intervalMs));
    await new Promise(setImmediate);
  }
  return rows;
}

function publishedSince(database: Database, from: number): { first: number | null; last: number | null } {
  return database
    .query<{ first: number | null; last: number | null }, [number, number]>(
      `SELECT (SELECT min(published_at) FROM news WHERE published_at >= ?) AS first,
         (SELECT max(published_at) FROM news WHERE published_at >= ?) AS last`,
    )
    .get(from, from)!;
}

/** One interval, without GROUP BY, so that its rows are read once in index order. */
function sentimentOfInterval(database: Database, filter: NewsFilter, from: number, intervalMs: number): SentimentRow[] {
  const time = from - (from % intervalMs);
  const counted = database.query<Summed, [string, string, number, number, string | null]>(
    `SELECT sum(sentiment = 'bullish') AS bullish, sum(sentiment = 'neutral') AS neutral,
       sum(sentiment = 'bearish') AS bearish, avg(score) AS meanScore
     FROM news_listed
     WHERE symbol = ? AND category = ? AND published_at >= ? AND published_at < ? AND source IS NOT ?`,
  );
  return filter.categories
    .toSorted(compareText)
    .map((category) => {
      const sums = counted.get(filter.symbol ?? '', category, from, time + intervalMs, filter.except)!;
      return { time, category, ...sums };
    })
    .filter((row): row is SentimentRow => row.meanScore !== null);
}
