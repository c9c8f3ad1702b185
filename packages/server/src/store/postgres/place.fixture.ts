// A database of its own for a test, made from nothing and dropped at the end.
import { Client } from 'pg';
import { ACCESS_TABLES } from '../archive/shapes.ts';
import { readAddress } from './address.ts';
import { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { emptyRealm } from './open.ts';
import { REALMS, STEPS, type Step } from './schema.ts';

export interface TestDatabase {
  readonly url: string;
  /** Takes every row out of it. */
  empty(): Promise<void>;
  /** Runs a statement on it as its owner. */
  ask<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
  dispose(): Promise<void>;
}

let made = 0;

/** `steps`: the schema it gets; none: an empty database. */
export async function testDatabase(server: string, steps: readonly Step[] = STEPS): Promise<TestDatabase> {
  const name = `tickwire_test_${process.pid}_${++made}_${Math.random().toString(36).slice(2, 8)}`;
  const admin = async (text: string): Promise<void> => {
    const client = new Client(server);
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = new Database({ address: readAddress(url.href), searchPath: ['tickwire'], connections: 2 });
  if (steps.length > 0) await migrate(database, steps);
  return {
    url: url.href,
    ask: (text, values) => database.rows(text, values),
    async empty() {
      for (const realm of REALMS) await emptyRealm(database, realm);
      const access = ACCESS_TABLES.map(({ name }) => `tickwire.${name}`);
      await database.run(`TRUNCATE ${access.join(', ')} RESTART IDENTITY`);
    },
    async dispose() {
      await database.close();
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
