import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { postgresForTests } from '../../testing/services.fixture.ts';
import { readLines } from '../archive/format.ts';
import { importLines } from '../archive/import.ts';
import { fillSqlite } from '../archive/sqlite-side.ts';
import { block, DAY, MONDAY, refusalOf } from '../samples.fixture.ts';
import { someSignals } from '../signal-samples.fixture.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { storeContract } from '../store.contract.ts';
import { StoreError } from '../store.ts';
import { openPostgresStore, type PostgresStoreOptions } from './open.ts';
import { type TestDatabase, testDatabase } from './place.fixture.ts';

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
      // A backup is an export, which any store can be filled from.
      async openCopy(copy) {
        const restored = join(folder, 'restored');
        await fillSqlite(restored, (target) =>
          importLines({
            lines: readLines(createReadStream(join(copy, 'tickwire.export.gz'))),
            target,
            folder: restored,
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

  test('simulated and real data share accounts, never market data', async () => {
    const [sim, live] = [await open({ realm: 'sim' }), await open({ realm: 'live' })];
    await sim.access.createAccount('Ada', 'free', 1);
    await sim.market.setNumber('bars_until', 5);
    expect(await live.access.accounts()).toHaveLength(1);
    expect(await live.market.number('bars_until')).toBeUndefined();
    await Promise.all([sim.close(), live.close()]);
    await database.empty();
  });

  test('one process alone has a realm to itself, and another is let in when it is gone', async () => {
    const first = await open({ exclusive: true });
    const refusal = await refusalOf(open({ exclusive: true }));
    expect(refusal).toBeInstanceOf(StoreError);
    expect((refusal as Error).message).toContain('in use by another Tickwire');
    await (await open()).close();
    await (await open({ realm: 'live', exclusive: true })).close();
    await first.close();
    await (await open({ exclusive: true })).close();
  });

  test('a realm that is emptied loses what it holds, and no other realm does', async () => {
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

  test('many processes that need the same new days at once make each of them once', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open({ role: 'command' })));
    const days = [10, 11, 12];
    await Promise.all(
      stores.map((store, index) =>
        store.market.writeTape(days.map((day) => block({ minute: (MONDAY + day * DAY) as never, firstSeq: index }))),
      ),
    );
    expect(await stores[0]!.market.tape(MONDAY)).toHaveLength(12);
    // What one has dropped, another makes again when it writes there.
    expect(await stores[1]!.market.pruneTape(MONDAY + 20 * DAY)).toBeGreaterThanOrEqual(3);
    await stores[0]!.market.writeTape([block({ minute: (MONDAY + 10 * DAY) as never })]);
    expect(await stores[1]!.market.tape(MONDAY)).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
    await database.empty();
  });
});
