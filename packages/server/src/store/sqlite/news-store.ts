// News and the moves after it, in the realm's market.db.
import type { Database } from 'bun:sqlite';
import type { NewsDetail } from '@tickwire/contract';
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
          .query<Omit<DueMove, 'category' | 'symbols'> & { item: string }, [number, number, number, number]>(
            `SELECT id, published_at AS publishedAt, seen_at AS seenAt, item FROM news
             WHERE seen_at >= ? AND seen_at < ?
               AND NOT EXISTS (SELECT 1 FROM news_moves m WHERE m.id = news.id AND m.horizon = ?)
             ORDER BY seen_at LIMIT ?`,
          )
          .all(from, to, horizon, limit)
          .map(({ item, ...due }): DueMove => {
            const { category, symbols } = JSON.parse(item) as NewsDetail;
            return { ...due, category, symbols };
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
    calibration: () =>
      guarded(() => {
        const rows = database
          .query<CalibrationRow, []>(
            `WITH measured AS (SELECT * FROM news_moves WHERE percent IS NOT NULL),
                  usual AS (SELECT category, horizon, avg(abs(percent)) AS move FROM measured GROUP BY category, horizon)
             SELECT model, category, sentiment, horizon AS horizonMinutes, count(*) AS items,
               sum(CASE sentiment WHEN 'bullish' THEN percent > 0 WHEN 'bearish' THEN percent < 0
                   ELSE abs(percent) < usual.move END) AS hits,
               avg(percent) AS averagePercent
             FROM measured JOIN usual USING (category, horizon)
             GROUP BY model, category, sentiment, horizon
             ORDER BY model, category, sentiment, horizon`,
          )
          .all();
        const since = database
          .query<{ since: number | null }, []>('SELECT min(seen_at) AS since FROM news_moves WHERE percent IS NOT NULL')
          .get()!.since;
        return { rows, since };
      }),
    prune: (time) => guarded(() => database.query('DELETE FROM news WHERE published_at < ?').run(time).changes),
  };
}
