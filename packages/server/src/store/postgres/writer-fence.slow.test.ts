import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Client } from 'pg';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { alertWrite, destination, firing, message } from '../../../testing/store/alert-samples.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { refusalOf, block as sample } from '../../../testing/store/samples.fixture.ts';
import { someSignals, write } from '../../../testing/store/signal-samples.fixture.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import { FencedError } from '../../errors/store-error.ts';
import type { Store } from '../store.ts';
import { PostgresDatabase } from './database.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { WriterFence } from './writer-fence.ts';

const server = await postgresForTests();

const block = sample({ count: 1 });

describe.skipIf(server === null)('a store that another ingest node has taken over', () => {
  let database: TestDatabase;
  let before: Store;
  let after: Store;
  const opened = (url: string) => openPostgresStore({ url, realm: 'sim', role: 'service', folder: '/nonexistent' });
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(() => database.dispose());
  beforeEach(async () => {
    before = await opened(database.url);
    after = await opened(database.url);
    await before.fence!(1);
  });
  afterEach(async () => {
    await Promise.all([before.close(), after.close()]);
    await database.empty();
  });

  test('accepts tape, bars, signals, news, alerts and numbers only from the newest writer', async () => {
    await before.market.writeTape([block]);
    await after.fence!(2);
    const refusals = await Promise.all(
      [
        before.market.writeTape([{ ...block, count: 2 }]),
        before.market.write({ bars: [], prices: [], barsUntil: 60_000 }),
        before.market.setNumber('seq_reserved', 7),
        before.signals.write(someSignals),
        before.signals.write(write({ judgedUntil: 9 })),
        before.news.put([]),
        before.news.prune(1),
        before.alerts.write(alertWrite({ firings: [firing('fir_1')] })),
        before.alerts.forgetAccount('pub_a'),
        before.delivery.addMessages([message('msg_1')]),
        before.delivery.putDestination(destination('dst_1')),
      ].map(refusalOf),
    );
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(FencedError);
    await after.signals.write(someSignals);
    expect((await after.market.tape(0)).map(({ count }) => count)).toEqual([1]);
    expect(await after.market.number('writer_token')).toBe(2);
  });

  test('still lets an older writer deliver messages that it has leased', async () => {
    await before.delivery.putDestination(destination('dst_1'));
    await before.delivery.addMessages([message('msg_1')]);
    await after.fence!(2);
    const options = { worker: 'w', now: 9_000, until: 9_999, destinations: 1, messages: 1 };
    expect(await before.delivery.lease(options)).toHaveLength(1);
    expect(await before.delivery.renew('w', ['dst_1'], 19_999)).toEqual(['dst_1']);
    await before.delivery.complete('w', [{ id: 'msg_1', result: 'delivered', at: 9_500 }], []);
    expect((await after.delivery.message('msg_1'))?.state).toBe('delivered');
  });

  test('stays open to processes that write no market data, and to a writer that raises its own token', async () => {
    await before.fence!(5);
    await before.market.setNumber('seq_reserved', 7);
    // A command or a gateway.
    await after.market.setNumber('seq_reserved', 8);
    expect(await refusalOf(after.fence!(4))).toBeInstanceOf(FencedError);
  });

  test('is not fenced by itself while it raises its own token', async () => {
    const address = parsePostgresAddress(database.url);
    const real = new PostgresDatabase({ address, searchPath: ['sim'], connections: 2 });
    let [committed, busy] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The token is stored, but the process is too busy to notice.
    const slow = {
      async transaction(work: Parameters<PostgresDatabase['transaction']>[0]) {
        await real.transaction(work);
        committed.resolve();
        await busy.promise;
      },
    } as unknown as PostgresDatabase;
    const fence = new WriterFence(slow);
    const first = fence.raise(1);
    busy.resolve();
    await first;
    [committed, busy] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const raised = fence.raise(2);
    await committed.promise;
    await real.transaction(fence.check);
    busy.resolve();
    await raised;
    await after.fence!(3);
    expect(await refusalOf(real.transaction(fence.check))).toBeInstanceOf(FencedError);
    await real.close();
  });

  test('does not wait for writers that are paused within a transaction', async () => {
    const stopped = await Promise.all(
      [1, 2].map(async () => {
        const client = new Client(database.url);
        client.on('error', () => {});
        await client.connect();
        await client.query('BEGIN');
        await client.query("SELECT value FROM sim.numbers WHERE name = 'writer_token' FOR SHARE");
        return client;
      }),
    );
    const passed = startWatch();
    await after.fence!(2);
    expect(passed()).toBeLessThan(3_000);
    await after.market.writeTape([block]);
    for (const client of stopped) expect(await refusalOf(client.query('COMMIT'))).toBeInstanceOf(Error);
  });
});
