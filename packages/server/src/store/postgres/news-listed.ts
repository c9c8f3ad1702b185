// News in lists: each item under every instrument that it mentions, and under '' for all.
import type { NewsCategory, NewsDetail } from '@tickwire/contract';
import type { NewsFilter, NewsPlace, SentimentRow, StoredNews } from '../news-store.ts';
import { numbers } from './bulk.ts';
import type { Session } from './database.ts';

/** Within a transaction. A revision may mention others, and be of another category. */
export async function listNews(session: Session, items: readonly StoredNews[]): Promise<void> {
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

/** The rows of each category are in order off the key; the page is the first of all of them. */
export async function newsBehind(
  session: Session,
  place: NewsPlace,
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
    [[...new Set(categories)], symbol ?? '', from, place.time, place.id, except, limit],
  );
  return rows.map(({ item }) => JSON.parse(item) as NewsDetail);
}

export async function sentimentOf(
  session: Session,
  { categories, symbol, from, except }: NewsFilter,
  stretchMs: number,
): Promise<SentimentRow[]> {
  return session.rows<SentimentRow & { category: NewsCategory }>(
    `SELECT published_at - published_at % $1 AS time, category,
       count(*) FILTER (WHERE sentiment = 'bullish') AS bullish, count(*) FILTER (WHERE sentiment = 'neutral') AS neutral,
       count(*) FILTER (WHERE sentiment = 'bearish') AS bearish, avg(score) AS "meanScore"
     FROM news_listed WHERE symbol = $2 AND category = ANY($3::text[]) AND published_at >= $4 AND source IS DISTINCT FROM $5
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [stretchMs, symbol ?? '', categories, from, except],
  );
}
