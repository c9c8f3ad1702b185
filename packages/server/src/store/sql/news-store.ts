// NewsStore in SQL that both SQLite and PostgreSQL understand. Items are stored as JSON text: the JSON type of PostgreSQL does
// not accept every character a headline may contain.
import {
  CALIBRATION_HORIZONS,
  type CalibrationHorizon,
  fromViewOf,
  NEWS_CATEGORIES,
  type NewsCategory,
  type NewsDetail,
} from '@tickwire/contract';
import {
  type CalibrationRow,
  compareCalibration,
  type DueMove,
  type MeasuredMove,
  type Move,
  type NewsStore,
  type StoredNews,
} from '../news-store.ts';
import { indexNews, newsPageAfter, sentimentByInterval } from './news-index.ts';
import {
  change,
  long,
  rows,
  rowsFor,
  run,
  runFor,
  type SharedWork,
  type SqlValue,
  type WorkRunner,
} from './shared-work.ts';
import { put, storedFields } from './stored-fields.ts';
import * as tables from './tables/market-tables.ts';

const NEWS = storedFields(tables.NEWS);
const MOVES = storedFields(tables.NEWS_MOVES);

interface NewsRow {
  readonly id: string;
  readonly publishedAt: number;
  readonly seenAt: number;
  readonly knownAt: number;
  readonly guid: string | null;
  readonly item: string;
}

const detailOf = ({ item }: Pick<NewsRow, 'item'>): NewsDetail => JSON.parse(item) as NewsDetail;

export function createNewsStore(runner: WorkRunner): NewsStore {
  const { read, write } = runner;
  return {
    put: (items) => write(() => putNews(items)),
    recount: (id, cluster) =>
      write(function* () {
        const [found] = yield* select('q WHERE q.id = $1 {locked}', id);
        if (found)
          yield* run('UPDATE news SET item = $1 WHERE id = $2', JSON.stringify({ ...detailOf(found), cluster }), id);
      }),
    newest: (limit) =>
      read(function* () {
        const found = yield* long(select('ORDER BY published_at DESC, id DESC LIMIT $1', limit));
        return found.map(
          ({ seenAt, knownAt, guid, ...row }): StoredNews => ({ item: detailOf(row), seenAt, knownAt, guid }),
        );
      }),
    pageAfter: (position, filter, limit) => read(() => newsPageAfter(position, filter, limit)),
    item: (id, knownBy = Number.MAX_SAFE_INTEGER) =>
      read(function* () {
        return (yield* select('WHERE id = $1 AND known_at <= $2', id, knownBy)).map(detailOf)[0];
      }),
    replacedAfter: (time) =>
      read(function* () {
        // The sign keeps SQLite from reading all that is older.
        return (yield* rows<NewsRow>('SELECT item FROM news_replaced WHERE until > $1 AND +known_at <= $1', time)).map(
          detailOf,
        );
      }),
    revisionsAfter: ({ knownAt, id }, to, limit) =>
      read(function* () {
        const found = yield* rows<Pick<NewsRow, 'knownAt' | 'item'> & { revised: unknown }>(
          `${['news', 'news_replaced'].map(revisionsOf).join(' UNION ALL ')} ORDER BY "knownAt", id LIMIT $4`,
          knownAt,
          id,
          to,
          limit,
        );
        return found.map((row) => ({ knownAt: row.knownAt, item: detailOf(row), revised: Boolean(row.revised) }));
      }),
    publishedAt: (id, knownBy = Number.MAX_SAFE_INTEGER) =>
      read(function* () {
        return (yield* select('WHERE id = $1 AND known_at <= $2', id, knownBy))[0]?.publishedAt;
      }),
    sentiment: (filter, intervalMs) => sentimentByInterval(runner, filter, intervalMs),
    due: (horizon, from, to, limit) =>
      read(function* () {
        const found = yield* select(
          `WHERE seen_at >= $1 AND seen_at < $2
             AND NOT EXISTS (SELECT 1 FROM news_moves m WHERE m.id = news.id AND m.horizon = $3)
           ORDER BY seen_at LIMIT $4`,
          from,
          to,
          horizon,
          limit,
        );
        return found.map((row): DueMove => {
          const { source, category, symbols } = detailOf(row);
          return { id: row.id, publishedAt: row.publishedAt, seenAt: row.seenAt, source, category, symbols };
        });
      }),
    putMoves: (moves) => write(() => putMoves(moves)),
    putMeasured: (moves) => write(() => putMeasured(moves)),
    async calibration() {
      const found: CalibrationRow[] = [];
      for (const category of NEWS_CATEGORIES)
        for (const horizon of CALIBRATION_HORIZONS) {
          found.push(...(await read(() => calibrationOf(category, horizon))));
          // Yields to the event loop: on SQLite, years of moves take a while.
          await new Promise(setImmediate);
        }
      const [first] = await read(() =>
        rows<{ since: number | null }>('SELECT min(seen_at) AS since FROM news_moves WHERE percent IS NOT NULL'),
      );
      return { rows: found.sort(compareCalibration), since: first!.since };
    },
    prune: (time) =>
      write(function* () {
        const ids = 'SELECT id FROM news WHERE published_at < $1';
        yield* long(run('DELETE FROM news_replaced WHERE published_at < $1', time));
        yield* long(run(`DELETE FROM news_listed WHERE id IN (${ids})`, time));
        return yield* long(change('DELETE FROM news WHERE published_at < $1', time));
      }),
  };
}

const select = (which: string, ...values: readonly SqlValue[]): SharedWork<NewsRow[]> =>
  rows<NewsRow>(`SELECT ${NEWS.select} FROM news ${which}`, ...values);

const revisionsOf = (table: string): string =>
  `SELECT known_at AS "knownAt", id, item,
     EXISTS (SELECT 1 FROM news_replaced e WHERE e.id = q.id AND e.known_at < q.known_at) AS revised
   FROM ${table} q WHERE (known_at, id) > ($1, $2) AND known_at <= $3`;

function* putNews(items: readonly StoredNews[]): SharedWork<void> {
  yield* runFor(
    `INSERT INTO news_replaced (id, known_at, until, published_at, item)
       SELECT q.id, q.known_at, r.until, q.published_at, q.item FROM news q, {records}
       WHERE q.id = r.revised AND q.known_at < r.until
     ON CONFLICT (id, known_at) DO NOTHING`,
    { revised: 'text', until: 'int' },
    items.map(({ item, knownAt }) => ({ revised: item.id, until: knownAt })),
  );
  yield* put(
    NEWS,
    items.map(({ item, seenAt, knownAt, guid }) => ({
      id: item.id,
      publishedAt: Date.parse(item.timestamp),
      seenAt,
      knownAt,
      guid,
      item: JSON.stringify(item),
    })),
  );
  yield* indexNews(items);
}

function* putMoves(moves: readonly Move[]): SharedWork<void> {
  // Locked, so that each move is stored with the current label of its item.
  const found = yield* rowsFor<NewsRow, 'wanted'>(
    `SELECT ${NEWS.select} FROM news q, {records} WHERE q.id = r.wanted ORDER BY q.id {locked}`,
    { wanted: 'text' },
    [...new Set(moves.map(({ id }) => id))].map((wanted) => ({ wanted })),
  );
  const rowOf = new Map(found.map((row) => [row.id, row]));
  yield* putMeasured(
    moves.flatMap((move) => {
      const row = rowOf.get(move.id);
      if (!row) return [];
      const { model, category, sentiment } = fromViewOf(detailOf(row), move.symbol);
      return [{ ...move, seenAt: row.seenAt, model, category, sentiment }];
    }),
  );
}

function* putMeasured(moves: readonly MeasuredMove[]): SharedWork<void> {
  yield* runFor(
    `${MOVES.insert} ON CONFLICT (id, horizon) DO NOTHING`,
    MOVES.columns,
    moves.map(({ horizonMinutes, ...move }) => ({ ...move, horizon: horizonMinutes })),
  );
}

/** Rows of one category and horizon, which are adjacent in the index. */
function* calibrationOf(category: NewsCategory, horizon: CalibrationHorizon): SharedWork<CalibrationRow[]> {
  const measured = 'FROM news_moves WHERE category = $1 AND horizon = $2 AND percent IS NOT NULL';
  const [average] = yield* long(
    rows<{ usual: number | null }>(`SELECT avg(abs(percent)) AS usual ${measured}`, category, horizon),
  );
  const found = yield* long(
    rows<Omit<CalibrationRow, 'category' | 'horizonMinutes'>>(
      `SELECT model, sentiment, count(*) AS items, avg(percent) AS "averagePercent",
         count(*) FILTER (WHERE CASE sentiment WHEN 'bullish' THEN percent > 0 WHEN 'bearish' THEN percent < 0
           ELSE abs(percent) < $3 END) AS hits
       ${measured} GROUP BY model, sentiment`,
      category,
      horizon,
      average!.usual,
    ),
  );
  return found.map((row) => ({ ...row, category, horizonMinutes: horizon }));
}
