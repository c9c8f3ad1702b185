// News and the moves after it, in the schema of one realm. Items are stored as JSON text: the JSON type of PostgreSQL
// does not accept every character a headline may contain.
import {
  CALIBRATION_HORIZONS,
  type CalibrationHorizon,
  NEWS_CATEGORIES,
  type NewsCategory,
  type NewsDetail,
} from '@tickwire/contract';
import {
  type CalibrationRow,
  compareCalibration,
  type MeasuredMove,
  type Move,
  type NewsStore,
} from '../news-store.ts';
import { type DueRow, type NewsRow, toDueMove, toStoredNews } from '../sql/rows.ts';
import { chunks, lastOfEach, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { indexNews, newsPageAfter, sentimentByInterval } from './news-index.ts';

const PUT = `INSERT INTO news (id, published_at, seen_at, guid, item)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
  ON CONFLICT (id) DO UPDATE SET published_at = excluded.published_at, seen_at = excluded.seen_at, guid = excluded.guid,
    item = excluded.item`;
const PUT_MOVES = `INSERT INTO news_moves (id, horizon, seen_at, model, category, sentiment, symbol, percent)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[])
  ON CONFLICT DO NOTHING`;

export function createNewsStore(database: PostgresDatabase): NewsStore {
  return {
    put: (items) =>
      database.write(async (session) => {
        for (const part of chunks(lastOfEach(items, ({ item }) => item.id))) {
          await session.run(PUT, [
            part.map(({ item }) => item.id),
            numbers(part.map(({ item }) => Date.parse(item.timestamp))),
            numbers(part.map(({ seenAt }) => seenAt)),
            // The only character PostgreSQL does not accept.
            part.map(({ guid }) => guid?.replaceAll('\u0000', '\ufffd') ?? null),
            part.map(({ item }) => JSON.stringify(item)),
          ]);
          await indexNews(session, part);
        }
      }),
    recount: (id, cluster) =>
      database.write(async (session) => {
        const [row] = await session.rows<{ item: string }>('SELECT item FROM news WHERE id = $1 FOR UPDATE', [id]);
        if (!row) return;
        const item = { ...(JSON.parse(row.item) as NewsDetail), cluster };
        await session.run('UPDATE news SET item = $1 WHERE id = $2', [JSON.stringify(item), id]);
      }),
    async newest(limit) {
      const rows = await database.rows<NewsRow>(
        `SELECT item, seen_at AS "seenAt", guid FROM news ORDER BY published_at DESC, id DESC LIMIT $1`,
        [limit],
        LONG_MS,
      );
      return rows.map(toStoredNews);
    },
    pageAfter: (position, filter, limit) => newsPageAfter(database, position, filter, limit),
    async item(id) {
      const [row] = await database.rows<NewsRow>('SELECT item, seen_at AS "seenAt", guid FROM news WHERE id = $1', [
        id,
      ]);
      return row && toStoredNews(row).item;
    },
    async publishedAt(id) {
      const [row] = await database.rows<{ time: number }>('SELECT published_at AS time FROM news WHERE id = $1', [id]);
      return row?.time;
    },
    sentiment: (filter, intervalMs) => sentimentByInterval(database, filter, intervalMs),
    async due(horizon, from, to, limit) {
      const rows = await database.rows<DueRow>(
        `SELECT id, published_at AS "publishedAt", seen_at AS "seenAt", item FROM news
         WHERE seen_at >= $1 AND seen_at < $2
           AND NOT EXISTS (SELECT 1 FROM news_moves m WHERE m.id = news.id AND m.horizon = $3)
         ORDER BY seen_at LIMIT $4`,
        [from, to, horizon, limit],
      );
      return rows.map(toDueMove);
    },
    putMoves: (moves) => database.write((session) => putMoves(session, moves)),
    putMeasured: (moves) =>
      database.write(async (session) => {
        if (moves.length > 0) await session.run(PUT_MOVES, moveColumns(moves));
      }),
    async calibration() {
      const rows: CalibrationRow[] = [];
      for (const category of NEWS_CATEGORIES)
        for (const horizon of CALIBRATION_HORIZONS) rows.push(...(await calibrationOf(database, category, horizon)));
      const [first] = await database.rows<{ since: number | null }>(
        'SELECT min(seen_at) AS since FROM news_moves WHERE percent IS NOT NULL',
      );
      return { rows: rows.sort(compareCalibration), since: first?.since ?? null };
    },
    prune: (time) =>
      database.write(async (session) => {
        await session.run(
          'DELETE FROM news_listed USING news WHERE news.id = news_listed.id AND news.published_at < $1',
          [time],
          LONG_MS,
        );
        return session.run('DELETE FROM news WHERE published_at < $1', [time], LONG_MS);
      }),
  };
}

async function putMoves(session: SqlSession, moves: readonly Move[]): Promise<void> {
  const ids = [...new Set(moves.map(({ id }) => id))];
  // Locked, so that each move is stored with the current label of its item.
  const found = await session.rows<{ id: string; item: string; seenAt: number }>(
    'SELECT id, item, seen_at AS "seenAt" FROM news WHERE id = ANY($1::text[]) ORDER BY id FOR SHARE',
    [ids],
  );
  const items = new Map(
    found.map(({ id, item, seenAt }) => [id, { ...(JSON.parse(item) as NewsDetail), seenAt }] as const),
  );
  const rows = moves.flatMap((move) => {
    const item = items.get(move.id);
    if (!item) return [];
    const { seenAt, model, category, sentiment } = item;
    return [{ ...move, seenAt, model, category, sentiment }];
  });
  if (rows.length > 0) await session.run(PUT_MOVES, moveColumns(rows));
}

/** The parameters of PUT_MOVES. */
const moveColumns = (moves: readonly MeasuredMove[]) => [
  moves.map(({ id }) => id),
  numbers(moves.map(({ horizonMinutes }) => horizonMinutes)),
  numbers(moves.map(({ seenAt }) => seenAt)),
  moves.map(({ model }) => model),
  moves.map(({ category }) => category),
  moves.map(({ sentiment }) => sentiment),
  moves.map(({ symbol }) => symbol),
  numbers(moves.map(({ percent }) => percent)),
];

/** Rows of one category and horizon, which are adjacent in the index. */
async function calibrationOf(
  database: PostgresDatabase,
  category: NewsCategory,
  horizon: CalibrationHorizon,
): Promise<CalibrationRow[]> {
  const rows = await database.rows<Omit<CalibrationRow, 'category' | 'horizonMinutes'>>(
    `WITH measured AS (SELECT * FROM news_moves WHERE category = $1 AND horizon = $2 AND percent IS NOT NULL)
     SELECT model, sentiment, count(*) AS items, avg(percent) AS "averagePercent",
       count(*) FILTER (WHERE CASE sentiment WHEN 'bullish' THEN percent > 0 WHEN 'bearish' THEN percent < 0
         ELSE abs(percent) < (SELECT avg(abs(percent)) FROM measured) END) AS hits
     FROM measured GROUP BY model, sentiment`,
    [category, horizon],
    LONG_MS,
  );
  return rows.map((row) => ({ ...row, category, horizonMinutes: horizon }));
}
