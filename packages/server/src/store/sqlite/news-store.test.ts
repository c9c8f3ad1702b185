import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { move, news } from '../../../testing/store/news-samples.fixture.ts';
import { recordQueryPlans } from '../../../testing/store/sqlite-query-plans.fixture.ts';
import type { NewsStore } from '../news-store.ts';
import { createNewsStore } from '../sql/news-store.ts';
import { openSqliteDatabase } from './database.ts';
import { sqliteRunner } from './run-work.ts';
import { MARKET_SCHEMA } from './schema.ts';

let folder: string;
let database: Database;
let store: NewsStore;
let plansOf: (work: () => Promise<unknown>) => Promise<string[]>;
beforeEach(() => {
  folder = temporaryFolder();
  database = openSqliteDatabase(join(folder, 'market.db'), { schema: MARKET_SCHEMA });
  const noting = recordQueryPlans(database);
  plansOf = noting.plansOf;
  store = createNewsStore(sqliteRunner(noting.database));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('queries use an index, in its order', () => {
  test('the newest items, without sorting', async () => {
    expect(await plansOf(() => store.newest(2_000))).toEqual(['SCAN news USING INDEX news_published']);
  });

  test('a page and the sentiment of each category, without sorting', async () => {
    const filter = { categories: ['gold', 'macro'], symbol: 'XAUUSD', from: 0, except: null } as const;
    await store.put([news('a', 1, { category: 'gold', symbols: ['XAUUSD'] })]);
    const behind = await plansOf(() => store.pageAfter({ time: Number.MAX_SAFE_INTEGER, id: '' }, filter, 200));
    expect(new Set(behind)).toEqual(
      new Set([
        'SEARCH news_listed USING PRIMARY KEY (symbol=? AND category=? AND published_at>? AND (published_at,id)<(?,?))',
        'SEARCH news USING PRIMARY KEY (id=?)',
      ]),
    );
    expect(await plansOf(() => store.sentiment({ ...filter, categories: ['gold'] }, HOUR_MS))).toEqual([
      'SCAN CONSTANT ROW',
      'SCALAR SUBQUERY 1',
      'SEARCH news USING COVERING INDEX news_published (published_at>?)',
      'SCALAR SUBQUERY 2',
      'SEARCH news USING COVERING INDEX news_published (published_at>?)',
      'CO-ROUTINE sums',
      'SEARCH news_listed USING PRIMARY KEY (symbol=? AND category=? AND published_at>? AND published_at<?)',
      'SCAN sums',
    ]);
    expect(await plansOf(() => store.publishedAt('a'))).toEqual(['SEARCH news USING PRIMARY KEY (id=?)']);
  });

  test('items that were revised later: only those', async () => {
    expect(await plansOf(() => store.replacedAfter(1))).toEqual([
      'SEARCH news_replaced USING INDEX news_replaced_until (until>?)',
    ]);
  });

  test('revisions as they became known, without sorting', async () => {
    expect(await plansOf(() => store.revisionsAfter({ knownAt: 1, id: 'a' }, 9, 100))).toEqual([
      'MERGE (UNION ALL)',
      'LEFT',
      'SEARCH q USING INDEX news_known ((known_at,id)>(?,?) AND known_at<?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH e USING PRIMARY KEY (id=? AND known_at<?)',
      'RIGHT',
      'SEARCH q USING INDEX news_replaced_known ((known_at,id)>(?,?) AND known_at<?)',
      'CORRELATED SCALAR SUBQUERY 3',
      'SEARCH e USING PRIMARY KEY (id=? AND known_at<?)',
    ]);
  });

  test('due moves: only items received in the period, and their moves by key', async () => {
    expect(await plansOf(() => store.due(15, 0, 1, 500))).toEqual([
      'SEARCH news USING INDEX news_seen (seen_at>? AND seen_at<?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH m USING PRIMARY KEY (id=? AND horizon=?)',
    ]);
  });

  test('the calibration: each category and horizon separately, from a covering index', async () => {
    const plans = await plansOf(() => store.calibration());
    expect(new Set(plans)).toEqual(
      new Set([
        'SEARCH news_moves USING COVERING INDEX news_moves_measured (category=? AND horizon=?)',
        'SEARCH news_moves USING INDEX news_moves_since',
      ]),
    );
    expect(plans).toHaveLength(4 * 3 * 2 + 1);
  });

  test('pruning, cluster counts and moves: by key', async () => {
    await store.put([news('a', 1)]);
    expect(await plansOf(() => store.prune(1))).toEqual([
      'SEARCH news_replaced USING INDEX news_replaced_published (published_at<?)',
      'SEARCH news_listed USING INDEX news_listed_id (id=?)',
      'LIST SUBQUERY 1',
      'SEARCH news USING COVERING INDEX news_published (published_at<?)',
      'SEARCH news USING INDEX news_published (published_at<?)',
    ]);
    expect(await plansOf(() => store.recount('a', 2))).toEqual([
      'SEARCH q USING PRIMARY KEY (id=?)',
      'SEARCH news USING PRIMARY KEY (id=?)',
    ]);
    expect(await plansOf(() => store.putMoves([move('a', 1)]))).toEqual(['SEARCH q USING PRIMARY KEY (id=?)']);
  });
});

test('a failing write keeps none of its items', async () => {
  const broken = { ...news('b', 2), seenAt: null as unknown as number };
  expect(await store.put([news('a', 1), broken]).catch((error: Error) => error.message)).toContain('seen_at');
  expect(await store.newest(10)).toEqual([]);
});
