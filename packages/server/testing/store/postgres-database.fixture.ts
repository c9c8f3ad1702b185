// Creates a database of its own for a test and drops it at the end.
import { Client } from 'pg';
import { parsePostgresAddress } from '../../src/config/postgres-address.ts';
import { tablesOf } from '../../src/store/archive/tables.ts';
import { PostgresDatabase } from '../../src/store/postgres/database.ts';
import { migrateSchema } from '../../src/store/postgres/migrate.ts';
import { REALMS } from '../../src/store/postgres/schema.ts';

export interface TestDatabase {
  readonly url: string;
  /** Deletes every row. */
  empty(): Promise<void>;
  /** Runs a statement as the owner. */
  ask<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
  dispose(): Promise<void>;
}

let made = 0;

/** Truncating is slow, also if there is nothing to truncate: only tables with rows are. */
const EMPTY = `DO $$
  DECLARE
    place regclass;
    is_filled boolean;
  BEGIN
    FOR place IN SELECT oid FROM pg_class
      WHERE relispartition AND relkind = 'r' AND relnamespace::regnamespace::text IN (${REALMS.map((realm) => `'${realm}'`).join()})
    LOOP
      EXECUTE format('DROP TABLE %s', place);
    END LOOP;
    FOR place IN SELECT oid FROM pg_class
      WHERE NOT relispartition AND relkind IN ('r', 'p')
        AND (relnamespace::regnamespace::text IN (${REALMS.map((realm) => `'${realm}'`).join()})
          OR oid IN (${tablesOf('access')
            .map(({ name }) => `'tickwire.${name}'::regclass`)
            .join()}))
    LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', place) INTO is_filled;
      IF is_filled THEN EXECUTE format('TRUNCATE %s RESTART IDENTITY CASCADE', place); END IF;
    END LOOP;
  END $$`;

/** With the tables of the store; `empty`: without. */
export async function testDatabase(server: string, { empty = false } = {}): Promise<TestDatabase> {
  const name = `tickwire_test_${process.pid}_${++made}_${Math.random().toString(36).slice(2, 8)}`;
  const admin = async (text: string): Promise<void> => {
    const client = new Client(server);
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = new PostgresDatabase({
    address: parsePostgresAddress(url.href),
    searchPath: ['tickwire'],
    connections: 2,
  });
  if (!empty) await migrateSchema(database);
  return {
    url: url.href,
    ask: (text, values) => database.rows(text, values),
    async empty() {
      await database.run(EMPTY);
    },
    async dispose() {
      await database.close();
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
