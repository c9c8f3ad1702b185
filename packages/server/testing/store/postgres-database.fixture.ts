// Creates a database of its own for a test and drops it at the end.
import { Client } from 'pg';
import { parsePostgresAddress } from '../../src/config/postgres-address.ts';
import { tablesOf } from '../../src/store/archive/tables.ts';
import { PostgresDatabase } from '../../src/store/postgres/database.ts';
import { migrateSchema } from '../../src/store/postgres/migrate.ts';
import { emptyRealm } from '../../src/store/postgres/open-postgres-store.ts';
import { REALMS, type SchemaStep, STEPS } from '../../src/store/postgres/schema.ts';

export interface TestDatabase {
  readonly url: string;
  /** Deletes every row. */
  empty(): Promise<void>;
  /** Runs a statement as the owner. */
  ask<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
  dispose(): Promise<void>;
}

let made = 0;

/** `steps`: the schema to create; none for an empty database. */
export async function testDatabase(server: string, steps: readonly SchemaStep[] = STEPS): Promise<TestDatabase> {
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
  if (steps.length > 0) await migrateSchema(database, steps);
  return {
    url: url.href,
    ask: (text, values) => database.rows(text, values),
    async empty() {
      for (const realm of REALMS) await emptyRealm(database, realm);
      const access = tablesOf('access').map(({ name }) => `tickwire.${name}`);
      await database.run(`TRUNCATE ${access.join(', ')} RESTART IDENTITY`);
    },
    async dispose() {
      await database.close();
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
