// News and the moves after it, in the realm's market.db.
import type { Database } from 'bun:sqlite';
import {
  CALIBRATION_HORIZONS,
  type CalibrationHorizon,
  NEWS_CATEGORIES,
  type NewsCategory,
  type NewsDetail,
} from '@tickwire/contract';
import type {
  CalibrationRow,
  DueMove,
  NewsFilter,
  NewsPlace,
  NewsStore,
  SentimentRow,
  StoredNews,
} from '../news-store.ts';
import { explained } from './database.ts';

interface NewsRow {
  readonly item: string;
  readonly seenAt: number;
  readonly guid: string | null;
}

type Summed = Omit<SentimentRow, 'time' | 'category' | 'meanScore'> & { readonly meanScore: number | null };

const storedOf = ({ item, seenAt, guid }: NewsRow): StoredNews => ({
  item: JSON.parse(item) as NewsDetail,
  seenAt,
  guid,
});

export function createNewsStore(database: Database): NewsStore {
  const guarded = async <T>(work: () => T): Promise<T> => explained(database.filename, work);
  return {
    put: (items) =>
      guarded(() => {
        const put = database.query(
          'INSERT OR REPLACE INTO news (id, published_at, seen_at, guid, item) VALUES (?, ?, ?, ?, ?)',
        );
        const unlist = database.query('DELETE FROM news_listed WHERE id = ?');
        const list = database.query(
          `INSERT INTO news_listed (symbol, category, published_at, id, source, sentiment, score)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        );
        database
          .transaction(() => {
            for (const { item, seenAt, guid } of items) {
              const { id, category, source, sentiment, sentiment_score: score } = item;
              const publishedAt = Date.parse(item.timestamp);
              put.run(id, publishedAt, seenAt, guid, JSON.stringify(item));
              // A revision may mention others, and be of another category.
              unlist.run(id);
              for (const symbol of new Set(['', ...item.symbols]))
                list.run(symbol, category, publishedAt, id, source, sentiment, score);
            }
          })
          .immediate();
      }),
    recount: (id, cluster) =>
      guarded(() => {
        database.query("UPDATE news SET item = json_set(item, '$.cluster', ?) WHERE id = ?").run(cluster, id);
      }),
    newest: (limit) =>
      guarded(() =>
        database
          .query<NewsRow, [number]>(
            `SELECT item, seen_at AS seenAt, guid FROM news
             ORDER BY published_at DESC, id DESC LIMIT ?`,
          )
          .all(limit)
          .map(storedOf),
      ),
    behind: (place, filter, limit) => guarded(() => listed(database, place, filter, limit)),
    publishedAt: (id) =>
      guarded(
        () =>
          database.query<{ time: number }, [string]>('SELECT published_at AS time FROM news WHERE id = ?').get(id)
            ?.time,
      ),
    async sentiment(filter, stretchMs) {
      const rows: SentimentRow[] = [];
      const { first, last } = await guarded(() => publishedSince(database, filter.from));
      const start = Math.max(filter.from, (first ?? 0) - ((first ?? 0) % stretchMs));
      for (let from = start; last !== null && from <= last; from = from - (from % stretchMs) + stretchMs) {
        rows.push(...(await guarded(() => stretch(database, filter, from, stretchMs))));
        // A month of news takes a while, and others get their turn.
        await new Promise(setImmediate);
      }
      return rows;
    },
    due: (horizon, from, to, limit) =>
      guarded(() =>
        database
          .query<Omit<DueMove, 'source' | 'category' | 'symbols'> & { item: string }, [number, number, number, number]>(
            `SELECT id, published_at AS publishedAt, seen_at AS seenAt, item FROM news
             WHERE seen_at >= ? AND seen_at < ?
               AND NOT EXISTS (SELECT 1 FROM news_moves m WHERE m.id = news.id AND m.horizon = ?)
             ORDER BY seen_at LIMIT ?`,
          )
          .all(from, to, horizon, limit)
          .map(({ item, ...due }): DueMove => {
            const { source, category, symbols } = JSON.parse(item) as NewsDetail;
            return { ...due, source, category, symbols };
          }),
      ),
    putMoves: (moves) =>
      guarded(() => {
        const put = database.query(
          `INSERT OR IGNORE INTO news_moves (id, horizon, seen_at, model, category, sentiment, symbol, percent)
           SELECT id, ?, seen_at, item ->> 'model', item ->> 'category', item ->> 'sentiment', ?, ? FROM news WHERE id = ?`,
        );
        database
          .transaction(() => {
            for (const { id, horizonMinutes, symbol, percent } of moves) put.run(horizonMinutes, symbol, percent, id);
          })
          .immediate();
      }),
    async calibration() {
      const rows: CalibrationRow[] = [];
      for (const category of NEWS_CATEGORIES)
        for (const horizon of CALIBRATION_HORIZONS) {
          rows.push(...(await guarded(() => calibrated(database, category, horizon))));
          // Years of moves take a while, and others get their turn.
          await new Promise(setImmediate);
        }
      const { since } = await guarded(
        () =>
          database
            .query<{ since: number | null }, []>(
              'SELECT min(seen_at) AS since FROM news_moves WHERE percent IS NOT NULL',
            )
            .get()!,
      );
      return { rows: rows.sort(inOrder), since };
    },
    prune: (time) =>
      guarded(() =>
        database
          .transaction(() => {
            database
              .query('DELETE FROM news_listed WHERE id IN (SELECT id FROM news WHERE published_at < ?)')
              .run(time);
            return database.query('DELETE FROM news WHERE published_at < ?').run(time).changes;
          })
          .immediate(),
      ),
  };
}

/** The rows of each category are in order; the page is the first of all of them. */
function listed(database: Database, place: NewsPlace, filter: NewsFilter, limit: number): NewsDetail[] {
  const page = database.query<NewsPlace, [string, string, number, number, string, string | null, number]>(
    `SELECT published_at AS time, id FROM news_listed
     WHERE symbol = ? AND category = ? AND published_at >= ? AND (published_at, id) < (?, ?) AND source IS NOT ?
     ORDER BY published_at DESC, id DESC LIMIT ?`,
  );
  const item = database.query<{ item: string }, [string]>('SELECT item FROM news WHERE id = ?');
  const { symbol, from, except } = filter;
  return filter.categories
    .flatMap((category) => page.all(symbol ?? '', category, from, place.time, place.id, except, limit))
    .sort((a, b) => b.time - a.time || compare(b.id, a.id))
    .slice(0, limit)
    .map(({ id }) => JSON.parse(item.get(id)!.item) as NewsDetail);
}

function publishedSince(database: Database, from: number): { first: number | null; last: number | null } {
  return database
    .query<{ first: number | null; last: number | null }, [number, number]>(
      `SELECT (SELECT min(published_at) FROM news WHERE published_at >= ?) AS first,
         (SELECT max(published_at) FROM news WHERE published_at >= ?) AS last`,
    )
    .get(from, from)!;
}

/** One stretch: without grouping, so that its rows are gone through once, in the order of the index. */
function stretch(database: Database, filter: NewsFilter, from: number, stretchMs: number): SentimentRow[] {
  const time = from - (from % stretchMs);
  const counted = database.query<Summed, [string, string, number, number, string | null]>(
    `SELECT sum(sentiment = 'bullish') AS bullish, sum(sentiment = 'neutral') AS neutral,
       sum(sentiment = 'bearish') AS bearish, avg(score) AS meanScore
     FROM news_listed
     WHERE symbol = ? AND category = ? AND published_at >= ? AND published_at < ? AND source IS NOT ?`,
  );
  return filter.categories
    .toSorted(compare)
    .map((category) => {
      const sums = counted.get(filter.symbol ?? '', category, from, time + stretchMs, filter.except)!;
      return { time, category, ...sums };
    })
    .filter((row): row is SentimentRow => row.meanScore !== null);
}

/** The rows of one category and horizon: an index has them together. */
function calibrated(database: Database, category: NewsCategory, horizon: CalibrationHorizon): CalibrationRow[] {
  const measured = 'FROM news_moves WHERE category = ? AND horizon = ? AND percent IS NOT NULL';
  const { usual } = database
    .query<{ usual: number | null }, [string, number]>(`SELECT avg(abs(percent)) AS usual ${measured}`)
    .get(category, horizon)!;
  return database
    .query<Omit<CalibrationRow, 'category' | 'horizonMinutes'>, [number | null, string, number]>(
      `SELECT model, sentiment, count(*) AS items,
         sum(CASE sentiment WHEN 'bullish' THEN percent > 0 WHEN 'bearish' THEN percent < 0 ELSE abs(percent) < ? END) AS hits,
         avg(percent) AS averagePercent
       ${measured} GROUP BY model, sentiment`,
    )
    .all(usual, category, horizon)
    .map((row) => ({ ...row, category, horizonMinutes: horizon }));
}

const inOrder = (a: CalibrationRow, b: CalibrationRow): number =>
  compare(a.model, b.model) ||
  compare(a.category, b.category) ||
  compare(a.sentiment, b.sentiment) ||
  a.horizonMinutes - b.horizonMinutes;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
