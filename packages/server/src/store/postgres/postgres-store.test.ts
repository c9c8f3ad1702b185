import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { block, MONDAY, refusalOf } from '../../../testing/store/samples.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { storeContract } from '../../../testing/store/store.suite.ts';
import { StoreError } from '../../errors/store-error.ts';
import { backUpStore } from '../archive/back-up.ts';
import { readArchive } from '../archive/format.ts';
import { importArchive } from '../archive/import.ts';
import { fillSqlite } from '../archive/sqlite-archive.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import { openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts';

const server = await postgresForTests();

describe.skipIf(server === null)('with a server', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(() => database.dispose());
  const open = (changes: Partial<PostgresStoreOptions> = {}) =>
    openPostgresStore({ url: database.url, realm: 'sim', role: 'service', folder: '/nonexistent', ...changes });

  storeContract('PostgreSQL', async () => {
    const folder = temporaryFolder();
    return {
      open: () => open({ folder }),
      backUp: (copy) => backUpStore({ data: folder, database_url: database.url, instruments: null }, copy),
      // A backup is an export, from which any store can be filled.
      async openCopy(copy) {
        const restored = join(folder, 'restored');
        await fillSqlite(restored, (target) =>
          importArchive({
            lines: readArchive(createReadStream(join(copy, 'tickwire.export.gz'))),
            target,
            files: { data: restored, instruments: null },
          }),
        );
        return openSqliteStore({ folder: restored, realm: 'sim', exclusive: false });
      },
      async dispose() {
        await database.empty();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });

  test('simulated and live data share accounts, never market data', async () => {
    const [sim, live] = [await open({ realm: 'sim' }), await open({ realm: 'live' })];
    await sim.access.createAccount('Ada', 'free', 1);
    await sim.market.setNumber('bars_until', 5);
    expect(await live.access.accounts()).toHaveLength(1);
    expect(await live.market.number('bars_until')).toBeUndefined();
    await Promise.all([sim.close(), live.close()]);
    await database.empty();
  });

  test('only one process can lock a realm, and another one can when the first is gone', async () => {
    const first = await open({ exclusive: true });
    const refusal = await refusalOf(open({ exclusive: true }));
    expect(refusal).toBeInstanceOf(StoreError);
    expect((refusal as Error).message).toContain('in use by another Tickwire');
    await (await open()).close();
    await (await open({ realm: 'live', exclusive: true })).close();
    await first.close();
    await (await open({ exclusive: true })).close();
  });

  test('emptying a realm deletes its contents and those of no other realm', async () => {
    for (const realm of ['sim', 'replay'] as const) {
      const store = await open({ realm });
      await store.signals.write(someSignals);
      await store.market.writeTape([block()]);
      await store.close();
    }
    const [replay, sim] = [await open({ realm: 'replay', empty: true }), await open({ realm: 'sim' })];
    expect(await replay.signals.tail()).toBeUndefined();
    expect(await replay.market.tape(0)).toEqual([]);
    expect((await sim.signals.tail())?.n).toBe(4);
    await Promise.all([replay.close(), sim.close()]);
    await database.empty();
  });

  test('processes that need the same new days at the same time create each partition once', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open({ role: 'command' })));
    const days = [10, 11, 12];
    await Promise.all(
      stores.map((store, index) =>
        store.market.writeTape(days.map((day) => block({ minute: (MONDAY + day * DAY_MS) as never, firstSeq: index }))),
      ),
    );
    expect(await stores[0]!.market.tape(MONDAY)).toHaveLength(12);
    // A partition dropped by one process is created again when another writes to it.
    expect(await stores[1]!.market.pruneTape(MONDAY + 20 * DAY_MS)).toBeGreaterThanOrEqual(3);
    await stores[0]!.market.writeTape([block({ minute: (MONDAY + 10 * DAY_MS) as never })]);
    expect(await stores[1]!.market.tape(MONDAY)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
    await database.empty();
  });
});
