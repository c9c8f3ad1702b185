// The news index (table `news_listed`): each item under every symbol it mentions and under '' for all items, so that a page
// of any of them is read in index order.
import type { NewsCategory, NewsDetail } from '@tickwire/contract';
import type { NewsFilter, NewsPosition, SentimentRow, StoredNews } from '../news-store.ts';
import { toNewsDetail } from '../sql/rows.ts';
import { numbers } from './bulk.ts';
import type { SqlSession } from './database.ts';

/** Writes the index entries of items in place of their old ones: a revision may have other symbols or another category. */
export async function indexNews(session: SqlSession, items: readonly StoredNews[]): Promise<void> {
  await session.run('DELETE FROM news_listed WHERE id = ANY($1::text[])', [items.map(({ item }) => item.id)]);
  const rows = items.flatMap(({ item }) => [...new Set(['', ...item.symbols])].map((symbol) => ({ symbol, item })));
  await session.run(
    `INSERT INTO news_listed (symbol, category, published_at, id, source, sentiment, score)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::float8[])`,
    [
      rows.map(({ symbol }) => symbol),
      rows.map(({ item }) => item.category),
      numbers(rows.map(({ item }) => Date.parse(item.timestamp))),
      rows.map(({ item }) => item.id),
      rows.map(({ item }) => item.source),
      rows.map(({ item }) => item.sentiment),
      numbers(rows.map(({ item }) => item.sentiment_score)),
    ],
  );
}

/** Reads each category in index order and merges the categories. */
export async function newsPageAfter(
  session: SqlSession,
  position: NewsPosition,
  { categories, symbol, from, except }: NewsFilter,
  limit: number,
): Promise<NewsDetail[]> {
  const rows = await session.rows<{ item: string }>(
    `SELECT item FROM (
       SELECT page.* FROM unnest($1::text[]) AS wanted (category) CROSS JOIN LATERAL (
         SELECT published_at, id FROM news_listed listed
         WHERE listed.symbol = $2 AND listed.category = wanted.category AND published_at >= $3
           AND (published_at, id) < ($4, $5) AND source IS DISTINCT FROM $6
         ORDER BY published_at DESC, id DESC LIMIT $7) page
       ORDER BY published_at DESC, id DESC LIMIT $7) first
     JOIN news USING (id) ORDER BY first.published_at DESC, first.id DESC`,
    [[...new Set(categories)], symbol ?? '', from, position.time, position.id, except, limit],
  );
  return rows.map(({ item }) => toNewsDetail(item));
}

export async function sentimentByInterval(
  session: SqlSession,
  { categories, symbol, from, except }: NewsFilter,
  intervalMs: number,
): Promise<SentimentRow[]> {
  return session.rows<SentimentRow & { category: NewsCategory }>(
    `SELECT published_at - published_at % $1 AS time, category,
       count(*) FILTER (WHERE sentiment = 'bullish') AS bullish, count(*) FILTER (WHERE sentiment = 'neutral') AS neutral,
       count(*) FILTER (WHERE sentiment = 'bearish') AS bearish, avg(score) AS "meanScore"
     FROM news_listed WHERE symbol = $2 AND category = ANY($3::text[]) AND published_at >= $4 AND source IS DISTINCT FROM $5
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [intervalMs, symbol ?? '', categories, from, except],
  );
}
