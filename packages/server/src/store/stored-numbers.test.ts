import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { openStore } from './open-store.ts';
import { importedName, importedSymbols } from './stored-numbers.ts';

const server = await postgresForTests();
const data = temporaryFolder();
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function check(database_url: string | null): Promise<void> {
  const config = { data, database_url, realm: 'sim' as const };
  expect(await importedSymbols(config, 'live')).toEqual([]);
  const store = await openStore(config, { role: 'command', realm: 'live' });
  for (const symbol of ['USDJPY', 'EURUSD']) await store.market.setNumber(importedName(symbol), 1);
  await store.market.setNumber('imported_until', 5);
  expect(await importedSymbols(config, 'live')).toEqual(['EURUSD', 'USDJPY']);
  expect(await importedSymbols(config, 'replay')).toEqual([]);
  await store.close();
}

test('names the symbols that were imported into SQLite files, also of another realm', () => check(null));

test('says that a file cannot be read, instead of finding nothing in it', async () => {
  const folder = temporaryFolder();
  await Bun.write(`${folder}/live/market.db`, 'x'.repeat(5_000));
  await expect(importedSymbols({ data: folder, database_url: null }, 'live')).rejects.toThrow('market.db');
  await Bun.write(`${folder}/live/market.db`, '');
  expect(await importedSymbols({ data: folder, database_url: null }, 'live')).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(server === null)('names the symbols that were imported into PostgreSQL', async () => {
  const database = await testDatabase(server!);
  try {
    await check(database.url);
  } finally {
    await database.dispose();
  }
});
