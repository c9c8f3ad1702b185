import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { EURUSD, MONDAY } from '../../../testing/store/samples.fixture.ts';
import { closed, fill, of, published, records, write } from '../../../testing/store/signal-samples.fixture.ts';
import { recordQueryPlans } from '../../../testing/store/sqlite-query-plans.fixture.ts';
import type { SignalStore } from '../signal-store.ts';
import { createSignalStore } from '../sql/signal-store.ts';
import { openSqliteDatabase } from './database.ts';
import { sqliteRunner } from './run-work.ts';
import { MARKET_SCHEMA } from './schema.ts';

let folder: string;
let database: Database;
let store: SignalStore;
let plansOf: (work: () => Promise<unknown>) => Promise<string[]>;

beforeEach(() => {
  folder = temporaryFolder();
  database = openSqliteDatabase(join(folder, 'market.db'), { schema: MARKET_SCHEMA });
  const noting = recordQueryPlans(database);
  plansOf = noting.plansOf;
  store = createSignalStore(sqliteRunner(noting.database));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const LOOK_UPS = [
  'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
  'SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
  'SEARCH v USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
];
const list = (query: { symbol?: string; publisher?: string }) => () =>
  store.list({ status: 'active', limit: 50, ...query });

describe('queries use an index, in its order', () => {
  test.each([
    ['active signals', () => store.active(), 'signals_active (active=?)'],
    ['a list', list({}), 'signals_active (active=? AND rowid<?)'],
    ['a list of a symbol', list({ symbol: 'EURUSD' }), 'signals_symbol (symbol=? AND active=? AND rowid<?)'],
    ['a list of a publisher', list({ publisher: 'p' }), 'signals_publisher (publisher=? AND active=? AND rowid<?)'],
    [
      'a list of a publisher and a symbol',
      list({ publisher: 'p', symbol: 'EURUSD' }),
      'signals_publisher (publisher=? AND active=? AND rowid<?)',
    ],
    [
      'an idempotency key',
      () => store.byIdempotencyKey('p', 'k', 0),
      'signals_idempotency (publisher=? AND idem_key=?)',
    ],
    ['one signal', () => store.signal('s'), 'sqlite_autoindex_signals_1 (id=?)'],
  ])('%s', async (_what, work, index) => {
    expect(await plansOf(work)).toEqual([`SEARCH s USING INDEX ${index}`, ...LOOK_UPS]);
  });

  test('unsealed days: unsealed rows and active signals, never the whole table', async () => {
    await store.write(write({ records: records(0, 1), published: [published(0, { quoteAt: MONDAY })] }));
    expect(await plansOf(() => store.unsealed(MONDAY + DAY_MS))).toEqual([
      'SCAN signal_days USING COVERING INDEX signal_days_unsealed',
      'SEARCH signals USING INDEX signals_active (active=?)',
      'USE TEMP B-TREE FOR GROUP BY',
      'SEARCH d USING PRIMARY KEY (day=? AND symbol=?)',
    ]);
  });

  test('records of signals', async () => {
    expect(await plansOf(() => store.records(['s']))).toEqual([
      'SEARCH s USING COVERING INDEX sqlite_autoindex_signals_1 (id=?)',
      'SEARCH about USING COVERING INDEX signal_records_signal (published_n=?)',
      'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
  });

  test('signal events, in order', async () => {
    expect(await plansOf(() => store.events(5, 10))).toEqual([
      'CO-ROUTINE e',
      'SEARCH signal_records USING INTEGER PRIMARY KEY (rowid>?)',
      'SCAN e',
      'SEARCH s USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)',
      ...LOOK_UPS.slice(0, 2),
    ]);
  });

  test('the last events of an instrument', async () => {
    expect(await plansOf(() => store.lastEventNumbers([EURUSD], 10))).toEqual([
      'CO-ROUTINE last',
      'SEARCH signal_records USING COVERING INDEX signal_records_symbol (symbol=? AND stream=? AND rowid<?)',
      'SCAN last',
    ]);
  });

  test('the log, its tail, and deleted gaps', async () => {
    expect(await plansOf(() => store.log(5, 10))).toEqual(['SEARCH signal_log USING INTEGER PRIMARY KEY (rowid>?)']);
    // One row, backwards from the end.
    expect(await plansOf(() => store.tail())).toEqual(['SCAN signal_log']);
    expect(await plansOf(() => store.forgetGaps(5))).toEqual(['SEARCH signal_gaps USING PRIMARY KEY (seq<?)']);
  });

  test('a write looks up rows only by key', async () => {
    const whole = write({
      records: records(0, 2),
      published: [published(0)],
      ofSignals: [of(0, 'sig_0', 'published'), of(1, 'sig_0', 'closed')],
      fills: [fill('sig_0', MONDAY)],
      closed: [closed('sig_0', 1)],
      voided: [{ id: 'sig_0', n: 1, at: MONDAY }],
      signingKeys: [{ publisher: 'pub_a', publicKey: 'aa', n: 1 }],
      signed: [{ publisher: 'pub_a', signedAt: 1 }],
      gaps: [{ symbol: EURUSD, seq: 1, from: 1, to: 2 }],
      sealed: [{ day: '2026-03-02', symbol: EURUSD, n: 1 }],
    });
    const plans = await plansOf(() => store.write(whole));
    expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN signal_log']);
  });
});
