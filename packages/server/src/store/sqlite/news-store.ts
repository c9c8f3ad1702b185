// News and the moves after it, in market.db of the realm.
import type { Database } from 'bun:sqlite';
import { CALIBRATION_HORIZONS, type CalibrationHorizon, NEWS_CATEGORIES, type NewsCategory } from '@tickwire/contract';
import { type CalibrationRow, compareCalibration, type NewsStore } from '../news-store.ts';
import { type DueRow, type NewsRow, toDueMove, toStoredNews } from '../sql/rows.ts';
import { toStoreError, withFileErrors } from './errors.ts';
import { indexNews, newsPageAfter, sentimentByInterval } from './news-index.ts';

export function createNewsStore(database: Database): NewsStore {
  const run = async <T>(work: () => T): Promise<T> => withFileErrors(database.filename, work);
  return {
    put: (items) =>
      run(() => {
        const put = database.query(
          'INSERT OR REPLACE INTO news (id, published_at, seen_at, guid, item) VALUES (?, ?, ?, ?, ?)',
        );
        database
          .transaction(() => {
            for (const { item, seenAt, guid } of items)
              put.run(item.id, Date.parse(item.timestamp), seenAt, guid, JSON.stringify(item));
            indexNews(database, items);
          })
          .immediate();
      }),
    recount: (id, cluster) =>
      run(() => {
        database.query("UPDATE news SET item = json_set(item, '$.cluster', ?) WHERE id = ?").run(cluster, id);
      }),
    newest: (limit) =>
      run(() =>
        database
          .query<NewsRow, [number]>(
            `SELECT item, seen_at AS seenAt, guid FROM news
             ORDER BY published_at DESC, id DESC LIMIT ?`,
          )
          .all(limit)
          .map(toStoredNews),
      ),
    pageAfter: (position, filter, limit) => run(() => newsPageAfter(database, position, filter, limit)),
    item: (id) =>
      run(() => {
        const row = database
          .query<NewsRow, [string]>('SELECT item, seen_at AS seenAt, guid FROM news WHERE id = ?')
          .get(id);
        return row ? toStoredNews(row).item : undefined;
      }),
    publishedAt: (id) =>
      run(
        () =>
          database.query<{ time: number }, [string]>('SELECT published_at AS time FROM news WHERE id = ?').get(id)
            ?.time,
      ),
    sentiment: async (filter, intervalMs) => {
      try {
        return await sentimentByInterval(database, filter, intervalMs);
      } catch (error) {
        throw toStoreError(database.filename, error);
      }
    },
    due: (horizon, from, to, limit) =>
      run(() =>
        database
          .query<DueRow, [number, number, number, number]>(
            `SELECT id, published_at AS publishedAt, seen_at AS seenAt, item FROM news
             WHERE seen_at >= ? AND seen_at < ?
               AND NOT EXISTS (SELECT 1 FROM news_moves m WHERE m.id = news.id AND m.horizon = ?)
             ORDER BY seen_at LIMIT ?`,
          )
          .all(from, to, horizon, limit)
          .map(toDueMove),
      ),
    putMoves: (moves) =>
      run(() => {
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
    putMeasured: (moves) =>
      run(() => {
        const put = database.query(
          `INSERT OR IGNORE INTO news_moves (id, horizon, seen_at, model, category, sentiment, symbol, percent)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        );
        database
          .transaction(() => {
            for (const { id, horizonMinutes, seenAt, model, category, sentiment, symbol, percent } of moves)
              put.run(id, horizonMinutes, seenAt, model, category, sentiment, symbol, percent);
          })
          .immediate();
      }),
    async calibration() {
      const rows: CalibrationRow[] = [];
      for (const category of NEWS_CATEGORIES)
        for (const horizon of CALIBRATION_HORIZONS) {
          rows.push(...(await run(() => calibrationOf(database, category, horizon))));
          // Yields to the event loop: years of moves take a while.
          await new Promise(setImmediate);
        }
      const { since } = await run(
        () =>
          database
            .query<{ since: number | null }, []>(
              'SELECT min(seen_at) AS since FROM news_moves WHERE percent IS NOT NULL',
            )
            .get()!,
      );
      return { rows: rows.sort(compareCalibration), since };
    },
    prune: (time) =>
      run(() =>
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

/** Rows of one category and horizon, which are adjacent in the index. */
function calibrationOf(database: Database, category: NewsCategory, horizon: CalibrationHorizon): CalibrationRow[] {
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
