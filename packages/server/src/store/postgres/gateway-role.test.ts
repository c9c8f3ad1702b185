import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { accessStoreContract } from '../../../testing/store/access-store.suite.ts';
import { alert, destination, message } from '../../../testing/store/alert-samples.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import type { Store } from '../store.ts';
import { PostgresDatabase } from './database.ts';
import { gatewayRoleSql, writableSignalTables } from './gateway-role.ts';
import { migrateSchema } from './migrate.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { REALMS, STEPS } from './schema.ts';

const server = await postgresForTests();
const ROLE = `tickwire "test" ${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(server === null)('the role of gateway nodes', () => {
  const folder = temporaryFolder();
  let database: TestDatabase;
  let url: string;
  const open = (): Promise<Store> => openPostgresStore({ url, realm: 'sim', role: 'service', folder });
  const asRole = async <T>(work: (session: PostgresDatabase) => Promise<T>): Promise<T> => {
    const session = new PostgresDatabase({
      address: parsePostgresAddress(url),
      searchPath: ['tickwire'],
      connections: 1,
    });
    return work(session).finally(() => session.close());
  };
  beforeAll(async () => {
    database = await testDatabase(server!);
    const owner = new URL(server!).username;
    await database.ask(gatewayRoleSql(owner, ROLE));
    // It can be repeated.
    await database.ask(gatewayRoleSql(owner, ROLE));
    const address = new URL(database.url);
    address.username = encodeURIComponent(ROLE);
    url = address.href;
  });
  afterAll(async () => {
    const name = `"${ROLE.replaceAll('"', '""')}"`;
    await database.ask(`DROP OWNED BY ${name}`);
    await database.ask(`DROP ROLE ${name}`);
    await database.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('reads market data, signals and news, but cannot write them', async () => {
    const store = await open();
    expect(await store.market.number('bars_until')).toBeUndefined();
    expect(await store.signals.tail()).toBeUndefined();
    expect(await store.news.newest(10)).toEqual([]);
    await expect(store.signals.write(someSignals)).rejects.toThrow('permission denied');
    await expect(store.market.setNumber('bars_until', 1)).rejects.toThrow('permission denied');
    await store.close();
  });

  test('has no right to change any table of market data or signals', async () => {
    for (const realm of REALMS) {
      expect(await asRole((session) => writableSignalTables(session, realm))).toEqual([]);
      const tables = await asRole((session) =>
        session.rows(
          `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1)::oid AND relkind IN ('r', 'p')
             AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')`,
          [realm],
        ),
      );
      expect(tables).toEqual([]);
    }
    await expect(asRole((session) => session.run('DELETE FROM tickwire.schema_log'))).rejects.toThrow(
      'permission denied',
    );
    await expect(asRole((session) => session.run('CREATE TABLE sim.own (x INT)'))).rejects.toThrow('permission denied');
  });

  test('delivers messages, but writes neither alerts nor messages, and cannot change what a message says', async () => {
    const owner = await openPostgresStore({ url: database.url, realm: 'sim', role: 'service', folder });
    await owner.delivery.putDestination(destination('dst_1'));
    await owner.delivery.addMessages([message('msg_1')]);
    const store = await open();
    const leased = await store.delivery.lease({ worker: 'w', now: 9_000, until: 9_999, destinations: 1, messages: 1 });
    expect(leased).toHaveLength(1);
    expect(await store.delivery.renew('w', ['dst_1'], 19_999)).toEqual(['dst_1']);
    await store.delivery.changeDestination('dst_1', { sealed: 'moved' });
    const released = { destination: 'dst_1', wakeAt: 0, failures: 0, failingSince: null };
    await store.delivery.complete('w', [{ id: 'msg_1', result: 'delivered', at: 9_500 }], [released]);
    expect((await owner.delivery.message('msg_1'))?.state).toBe('delivered');
    await expect(store.delivery.addMessages([message('msg_2')])).rejects.toThrow('permission denied');
    await expect(store.alerts.putAlert(alert('alr_1'))).rejects.toThrow('permission denied');
    const forged = asRole((session) => session.run("UPDATE sim.messages SET body = 'forged'"));
    await expect(forged).rejects.toThrow('permission denied');
    await Promise.all([store.close(), owner.close()]);
    await database.empty();
  });

  test('has the same rights on tables of later migrations', async () => {
    const owner = new PostgresDatabase({
      address: parsePostgresAddress(database.url),
      searchPath: ['tickwire'],
      connections: 1,
    });
    const later = {
      access: 'CREATE TABLE later (x INT)',
      realm: 'CREATE TABLE signal_later (x INT)',
      compatibleFrom: 1,
    };
    await migrateSchema(owner, [...STEPS, later]).finally(() => owner.close());
    await asRole((session) => session.run('INSERT INTO tickwire.later VALUES (1)'));
    expect(await asRole((session) => session.rows('SELECT * FROM sim.signal_later'))).toEqual([]);
    expect(await asRole((session) => writableSignalTables(session, 'sim'))).toEqual([]);
  });

  describe('writes accounts like the owner:', () => {
    let store: Store;
    const opened: Store[] = [];
    const openAgain = async (): Promise<Store> => {
      opened.push(await open());
      return opened.at(-1)!;
    };
    beforeEach(async () => {
      store = await openAgain();
    });
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close();
      await database.empty();
    });
    accessStoreContract(() => store, openAgain);
  });
});
