// The news index (table `news_listed`): each item under every symbol it mentions, with the sentiment for it, and under '' for all items, so that a page
// of any of them is read in index order.
import { fromViewOf, type NewsCategory, type NewsDetail } from '@tickwire/contract';
import { compareText, type NewsFilter, type NewsPosition, type SentimentRow, type StoredNews } from '../news-store.ts';
import { rows, rowsFor, runFor, type SharedWork, type WorkRunner } from './shared-work.ts';
import { storedFields } from './stored-fields.ts';
import { NEWS_LISTED } from './tables/market-tables.ts';

const LISTED = storedFields(NEWS_LISTED);
/** Intervals that SQLite reads before it gives way to other work. */
const INTERVALS_AT_ONCE = 24;

/** Writes the index entries of items in place of their old ones: a revision may have other symbols or another category. */
export function* indexNews(revised: readonly StoredNews[]): SharedWork<void> {
  const items = [...new Map(revised.map((each) => [each.item.id, each])).values()];
  yield* runFor(
    'DELETE FROM news_listed WHERE id IN (SELECT r.revised FROM {records})',
    { revised: 'text' },
    items.map(({ item }) => ({ revised: item.id })),
  );
  yield* runFor(
    LISTED.insert,
    LISTED.columns,
    items.flatMap(({ item, knownAt }) => {
      const { id, category, source, timestamp, symbols } = item;
      const entry = { category, publishedAt: Date.parse(timestamp), id, source, knownAt };
      return [...new Set(['', ...symbols])].map((symbol) => {
        const { sentiment, sentiment_score: score } = fromViewOf(item, symbol);
        return { symbol, ...entry, sentiment, score };
      });
    }),
  );
}

/** Reads each category in index order and merges the categories. */
export function* newsPageAfter(
  position: NewsPosition,
  { categories, symbol, from, except, knownBy = Number.MAX_SAFE_INTEGER }: NewsFilter,
  limit: number,
): SharedWork<NewsDetail[]> {
  const found = yield* rowsFor<NewsPosition, 'wanted'>(
    `SELECT page.* FROM {each} (SELECT published_at AS time, id FROM news_listed
       WHERE symbol = $1 AND category = r.wanted AND published_at >= $2 AND (published_at, id) < ($3, $4)
         AND source IS DISTINCT FROM $5 AND known_at <= $6
       ORDER BY published_at DESC, id DESC LIMIT $7) page`,
    { wanted: 'text' },
    [...new Set(categories)].map((wanted) => ({ wanted })),
    symbol ?? '',
    from,
    position.time,
    position.id,
    except,
    knownBy,
    limit,
  );
  const page = found.sort((a, b) => b.time - a.time || compareText(b.id, a.id)).slice(0, limit);
  const items = yield* rowsFor<{ id: string; item: string }, 'wanted'>(
    'SELECT id, item FROM news, {records} WHERE id = r.wanted',
    { wanted: 'text' },
    page.map(({ id }) => ({ wanted: id })),
  );
  const itemOf = new Map(items.map(({ id, item }) => [id, item]));
  return page.map(({ id }) => JSON.parse(itemOf.get(id)!) as NewsDetail);
}

export async function sentimentByInterval(
  { read }: WorkRunner,
  filter: NewsFilter,
  intervalMs: number,
): Promise<SentimentRow[]> {
  const found: SentimentRow[] = [];
  const { first, last } = await read(() => publishedSince(filter.from));
  if (first === null || last === null) return found;
  const starts: number[] = [];
  for (let from = Math.max(filter.from, first); from <= last; from = from - (from % intervalMs) + intervalMs)
    starts.push(from);
  while (starts.length > 0) {
    const part = starts.splice(0, INTERVALS_AT_ONCE);
    found.push(...(await read(() => sentimentOfIntervals(filter, part, intervalMs))));
    // Yields to the event loop: on SQLite, a month of news takes a while.
    await new Promise(setImmediate);
  }
  return found;
}

function* publishedSince(from: number): SharedWork<{ first: number | null; last: number | null }> {
  const [found] = yield* rows<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(published_at) FROM news WHERE published_at >= $1) AS first,
       (SELECT max(published_at) FROM news WHERE published_at >= $1) AS last`,
    from,
  );
  return found!;
}

/** Each interval and category is one range of the index, without GROUP BY. */
function* sentimentOfIntervals(
  { categories, symbol, except, knownBy = Number.MAX_SAFE_INTEGER }: NewsFilter,
  starts: readonly number[],
  intervalMs: number,
): SharedWork<SentimentRow[]> {
  const found = yield* rowsFor<SentimentRow & { meanScore: number | null }, 'wanted' | 'start' | 'end'>(
    `SELECT r.start AS time, r.wanted AS category, sums.* FROM {each} (SELECT
         count(*) FILTER (WHERE sentiment = 'bullish') AS bullish, count(*) FILTER (WHERE sentiment = 'neutral') AS neutral,
         count(*) FILTER (WHERE sentiment = 'bearish') AS bearish, avg(score) AS "meanScore"
       FROM news_listed WHERE symbol = $1 AND category = r.wanted AND published_at >= r.start AND published_at < r."end"
         AND source IS DISTINCT FROM $2 AND known_at <= $3) sums`,
    { wanted: 'text', start: 'int', end: 'int' },
    starts.flatMap((start) =>
      [...new Set(categories)].map((wanted) => ({ wanted, start, end: start - (start % intervalMs) + intervalMs })),
    ),
    symbol ?? '',
    except,
    knownBy,
  );
  return found
    .filter(({ meanScore }) => meanScore !== null)
    .map((row) => ({ ...row, time: row.time - (row.time % intervalMs), category: row.category as NewsCategory }))
    .sort((a, b) => a.time - b.time || compareText(a.category, b.category));
}
