// News and the moves after it, in the realm's market.db.
import type { Database } from 'bun:sqlite';
import {
  CALIBRATION_HORIZONS,
  type CalibrationHorizon,
  NEWS_CATEGORIES,
  type NewsCategory,
  type NewsDetail,
} from '@tickwire/contract';
import type { CalibrationRow, DueMove, NewsStore, StoredNews } from '../news-store.ts';
import { explained } from './database.ts';

interface NewsRow {
  readonly item: string;
  readonly seenAt: number;
  readonly guid: string | null;
}

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
        database
          .transaction(() => {
            for (const { item, seenAt, guid } of items)
              put.run(item.id, Date.parse(item.timestamp), seenAt, guid, JSON.stringify(item));
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
             ORDER BY published_at DESC, seen_at DESC, id DESC LIMIT ?`,
          )
          .all(limit)
          .map(storedOf),
      ),
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
    prune: (time) => guarded(() => database.query('DELETE FROM news WHERE published_at < ?').run(time).changes),
  };
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
