import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { NO_HASH } from '@tickwire/contract';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { refusalOf } from '../../../testing/store/samples.fixture.ts';
import {
  chainedRecord,
  closed,
  published,
  record,
  records,
  someSignals,
  write,
} from '../../../testing/store/signal-samples.fixture.ts';
import { StoreError } from '../../errors/store-error.ts';
import { StaleLogError, type StoredRecord } from '../signal-store.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const server = await postgresForTests();

describe.skipIf(server === null)('the signal log on PostgreSQL', () => {
  let database: TestDatabase;
  let stores: Store[];
  const open = () => openPostgresStore({ url: database.url, realm: 'sim', role: 'command', folder: '/nonexistent' });
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    stores = await Promise.all([open(), open(), open()]);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.empty();
  });

  test('racing writers never fork the chain: one succeeds, the others get a StaleLogError', async () => {
    const PER_WRITER = 15;
    let refused = 0;
    const appendFrom = async (store: Store, writer: number): Promise<void> => {
      for (let done = 0; done < PER_WRITER; ) {
        const tail = await store.signals.tail();
        const next = chainedRecord({ writer, done }, (tail?.n ?? -1) + 1, tail?.hash ?? NO_HASH);
        const refusal = await refusalOf(store.signals.write(write({ records: [next] })));
        if (refusal === null) done++;
        else {
          expect(refusal).toBeInstanceOf(StaleLogError);
          refused++;
        }
      }
    };
    await Promise.all(stores.map(appendFrom));
    const log = await stores[0]!.signals.log(-1, 1_000);
    expect(log).toHaveLength(3 * PER_WRITER);
    let before: StoredRecord | null = null;
    for (const each of log) {
      const { prev } = JSON.parse(each.text) as { prev: string };
      expect(prev).toBe(before?.hash ?? NO_HASH);
      before = each;
    }
    // Of three writers that read the same tail, only one can be first.
    expect(refused).toBeGreaterThan(0);
  });

  test('rejects a record with the right number that follows another record than the stored tail', async () => {
    const first = chainedRecord({ by: 'one' }, 0, NO_HASH);
    await stores[0]!.signals.write(write({ records: [first] }));
    const stranger = chainedRecord({ by: 'another' }, 0, NO_HASH);
    const forked = chainedRecord({ by: 'another' }, 1, stranger.hash);
    expect(await refusalOf(stores[1]!.signals.write(write({ records: [forked] })))).toBeInstanceOf(StaleLogError);
    await stores[1]!.signals.write(write({ records: [chainedRecord({ by: 'another' }, 1, first.hash)] }));
  });

  test('of two writers that close the same signal, one succeeds', async () => {
    await stores[0]!.signals.write(write({ records: records(0, 1), published: [published(0)] }));
    const outcomes = await Promise.all(
      stores
        .slice(0, 2)
        .map((store) => refusalOf(store.signals.write(write({ records: [record(1)], closed: [closed('sig_0', 1)] })))),
    );
    expect(outcomes.filter((refusal) => refusal === null)).toHaveLength(1);
    expect(outcomes.find((refusal) => refusal !== null)).toBeInstanceOf(StoreError);
    expect(await stores[2]!.signals.log(-1, 10)).toHaveLength(2);
  });

  test('queries use an index: no page of signals reads the whole table', async () => {
    await stores[0]!.signals.write(someSignals);
    const plans = await Promise.all(
      [
        "SELECT * FROM sim.signals WHERE active = 1 AND published_n < 9 AND publisher = 'p' ORDER BY published_n DESC LIMIT 5",
        "SELECT * FROM sim.signals WHERE active = 1 AND published_n < 9 AND symbol = 'p' ORDER BY published_n DESC LIMIT 5",
        'SELECT n FROM sim.signal_log ORDER BY n DESC LIMIT 1',
      ].map(async (sql) => {
        const rows = await database.ask<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${sql}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      }),
    );
    expect(plans.filter((plan) => /Sort|Seq Scan/.test(plan))).toEqual([]);
  });
});
