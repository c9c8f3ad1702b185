// What the command line says about the database role of gateway nodes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { runTickwire } from '../../../testing/process.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { gatewayRoleSql } from './gateway-role.ts';

const server = await postgresForTests();
const ROLE = `tickwire_test_${crypto.randomUUID().slice(0, 8)}`;

describe.skipIf(server === null)('the role of gateway nodes', () => {
  const folder = temporaryFolder();
  let database: TestDatabase;
  let url: string;
  beforeAll(async () => {
    database = await testDatabase(server!);
    await database.ask(gatewayRoleSql(new URL(server!).username, ROLE));
    const address = new URL(database.url);
    address.username = ROLE;
    url = address.href;
  });
  afterAll(async () => {
    await database.ask(`DROP OWNED BY ${ROLE}`);
    await database.ask(`DROP ROLE ${ROLE}`);
    await database.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('doctor warns if a gateway node has more rights than it needs', async () => {
    const findingOf = async (databaseUrl: string, role: string): Promise<unknown> => {
      const settings = { role, database_url: databaseUrl, data: folder, port: '0', metrics_port: 'off' };
      const { out } = await runTickwire(['doctor', '--json'], settings);
      const findings = out.trim().split('\n');
      return findings.map((line) => JSON.parse(line)).find(({ part }) => part === 'database role');
    };
    expect(await findingOf(database.url, 'gateway')).toMatchObject({
      state: 'warn',
      what: expect.stringContaining('signal_log'),
    });
    expect(await findingOf(url, 'gateway')).toMatchObject({ state: 'ok' });
    expect(await findingOf(database.url, 'ingest')).toBeUndefined();
  });

  test('doctor warns if a gateway node has no key for two-factor secrets, and fails if it cannot read it', async () => {
    const findingOf = async (settings: Record<string, string>): Promise<unknown> => {
      const common = { role: 'gateway', database_url: url, data: folder, port: '0', metrics_port: 'off' };
      const { out } = await runTickwire(['doctor', '--json'], { ...common, ...settings });
      const findings = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return findings.find(({ part }) => part === 'two-factor key');
    };
    expect(await findingOf({})).toMatchObject({ state: 'warn', what: expect.stringContaining('unencrypted') });
    const file = join(folder, 'two-factor.key');
    expect(await findingOf({ two_factor_key: file })).toMatchObject({ state: 'fail' });
    writeFileSync(file, Buffer.alloc(32).toString('base64'));
    expect(await findingOf({ two_factor_key: file })).toMatchObject({ state: 'ok' });
  });

  test('migrate --print-roles prints the SQL for the owner in the address', async () => {
    const settings = { database_url: 'postgres://keeper:secret@db.example:5432/tickwire', data: folder };
    const { status, out } = await runTickwire(['migrate', '--print-roles'], settings);
    expect([status, out]).toEqual([0, gatewayRoleSql('keeper')]);
  });
});
