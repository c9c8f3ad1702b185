import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { NO_HASH } from '@tickwire/contract';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { type StallingProxy, stallingProxy } from '../../../testing/stalling-proxy.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { key, refusalOf } from '../../../testing/store/samples.fixture.ts';
import { chainedRecord, write } from '../../../testing/store/signal-samples.fixture.ts';
import { StoreError } from '../../errors/store-error.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const server = await postgresForTests();
const QUERY_MS = 500;

async function until(what: () => boolean | Promise<boolean>, ms: number): Promise<number> {
  const started = performance.now();
  while (!(await what())) {
    if (performance.now() - started > ms) throw new Error(`it did not come about within ${ms} ms`);
    await Bun.sleep(10);
  }
  return performance.now() - started;
}

describe.skipIf(server === null)('a broken connection to PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: StallingProxy;
  let store: Store;
  let direct: Store;
  const opened = (url: string, queryMs: number) =>
    openPostgresStore({ url, realm: 'sim', role: 'service', folder: '/nonexistent', queryMs });
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    proxy = await stallingProxy(database.url, 5432);
    store = await opened(proxy.url, QUERY_MS);
    direct = await opened(database.url, 5_000);
  });
  afterEach(async () => {
    await Promise.all([store.close(), direct.close()]);
    await proxy.stop();
    await database.empty();
  });

  test('fails with a StoreError in time if the server stalls, and is replaced when it responds again', async () => {
    await store.market.setNumber('one', 1);
    proxy.stall();
    const passed = startWatch();
    const refusals = await Promise.all([
      refusalOf(store.market.number('one')),
      refusalOf(store.market.setNumber('one', 2)),
      refusalOf(store.access.keys()),
      refusalOf(store.signals.tail()),
    ]);
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(StoreError);
    // Longer than a statement, because a connection may have to be opened first.
    expect(passed()).toBeLessThan(QUERY_MS + 3_000 + 1_500);
    proxy.resume();
    await until(async () => (await refusalOf(store.market.number('one'))) === null, 3_000);
    // The abandoned write was not applied late.
    expect(await direct.market.number('one')).toBe(1);
    await store.market.setNumber('one', 3);
    expect(await direct.market.number('one')).toBe(3);
  });

  test('does not try connections that idled through a stall one after the other', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => store.market.number(`number ${index}`)));
    proxy.stall();
    expect(await refusalOf(store.market.number('one'))).toBeInstanceOf(StoreError);
    proxy.resume();
    const before = proxy.made;
    await store.market.number('one');
    expect(proxy.made).toBeGreaterThan(before);
  });

  test('reconnects after the connection is cut', async () => {
    await store.market.setNumber('one', 1);
    proxy.cut();
    await until(async () => (await refusalOf(store.market.number('one'))) === null, 3_000);
    proxy.refuse(true);
    proxy.cut();
    const away = await refusalOf(store.market.number('one'));
    expect(away).toBeInstanceOf(StoreError);
    expect((away as Error).message).toContain('is unreachable');
    proxy.refuse(false);
    await until(async () => (await refusalOf(store.market.number('one'))) === null, 3_000);
  });

  test('reconnects after the server ends every connection, as at a restart', async () => {
    await Promise.all(Array.from({ length: 5 }, () => store.access.keys()));
    await database.ask(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await until(async () => (await refusalOf(store.access.keys())) === null, 3_000);
    const before = store.access.version();
    await until(async () => (await refusalOf(direct.access.createAccount('Ada', 'free', 1))) === null, 3_000);
    await until(() => store.access.version() !== before, 2_000);
  });

  test('sees a key revoked elsewhere within a second, even if the listening connection was cut or stalled', async () => {
    const { id } = await direct.access.createAccount('Ada', 'free', 1);
    for (const name of ['a', 'b', 'c']) await direct.access.addKey(key(name, id));
    const upToDate = async (): Promise<number> => {
      const [row] = await database.ask<{ version: number }>('SELECT version FROM changes');
      await until(() => store.access.version() === row!.version, 2_000);
      return row!.version;
    };
    const seen = async (name: string, first = () => {}): Promise<number> => {
      const before = await upToDate();
      first();
      await direct.access.revokeKey(name, 5);
      return until(() => store.access.version() !== before, 3_000);
    };
    expect(await seen('a')).toBeLessThan(500);
    expect(await seen('b', proxy.cut)).toBeLessThan(1_000);
    // Nothing gets through while it is stalled. Once it is back, missed changes are seen immediately.
    const before = await upToDate();
    proxy.stall();
    await direct.access.revokeKey('c', 5);
    const made = proxy.made;
    // The listening connection is dropped and others are tried.
    await until(() => proxy.made > made, 5_000);
    expect(store.access.version()).toBe(before);
    proxy.resume();
    expect(await until(() => store.access.version() !== before, 5_000)).toBeLessThan(1_000);
  });

  test('does not report the use of a key or session as a change', async () => {
    const { id } = await direct.access.createAccount('Ada', 'free', 1);
    await direct.access.addKey(key('a', id));
    const [row] = await database.ask<{ version: number }>('SELECT version FROM changes');
    await until(() => store.access.version() === row!.version, 2_000);
    await direct.access.saveUsed([{ id: 'a', at: 9 }]);
    await direct.access.saveUsage([{ accountId: id, requests: [1], aiDay: 0, aiCalls: 0 }]);
    await direct.access.audit({ at: 1, actor: 'a', action: 'tier set', subject: 'c' });
    expect(await database.ask('SELECT version FROM changes')).toEqual([row!]);
  });

  test('reports an append as stored if it was committed but the response was lost', async () => {
    const first = chainedRecord({}, 0, NO_HASH);
    await store.signals.write(write({ records: [first] }));
    for (let n = 1; n <= 5; n++) {
      const tail = (await direct.signals.tail())!;
      const next = chainedRecord({}, n, tail.hash);
      proxy.cutBehind('COMMIT');
      const before = proxy.made;
      await store.signals.write(write({ records: [next] }));
      expect(await direct.signals.tail()).toEqual(next);
      // Finding out took another connection.
      expect(proxy.made).toBeGreaterThan(before);
    }
  });

  test('reports an append as failed if the connection is cut before its commit, and stores nothing of it', async () => {
    const first = chainedRecord({}, 0, NO_HASH);
    await store.signals.write(write({ records: [first] }));
    proxy.cutBehind('INSERT INTO signal_log');
    expect(await refusalOf(store.signals.write(write({ records: [chainedRecord({}, 1, first.hash)] })))).toBeInstanceOf(
      StoreError,
    );
    expect(await direct.signals.tail()).toEqual(first);
    await store.signals.write(write({ records: [chainedRecord({ again: true }, 1, first.hash)] }));
  });

  test('reports the true outcome of an append that is cut off at any moment', async () => {
    let tail = chainedRecord({}, 0, NO_HASH);
    await store.signals.write(write({ records: [tail] }));
    let kept = 0;
    let lost = 0;
    for (let round = 0; round < 12; round++) {
      const next = chainedRecord({ round }, tail.n + 1, tail.hash);
      const writing = refusalOf(store.signals.write(write({ records: [next] })));
      // At another moment of the exchange each time.
      await Bun.sleep(round % 6);
      proxy.cut();
      const refusal = await writing;
      const stored = await direct.signals.tail();
      if (refusal === null) {
        expect(stored).toEqual(next);
        tail = next;
        kept++;
      } else {
        expect(refusal).toBeInstanceOf(StoreError);
        expect(stored).toEqual(tail);
        lost++;
      }
      await until(async () => (await refusalOf(store.signals.tail())) === null, 3_000);
    }
    expect(kept + lost).toBe(12);
  });
});
