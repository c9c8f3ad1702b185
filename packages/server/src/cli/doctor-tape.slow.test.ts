// Doctor reads the newest days of a tape in PostgreSQL, and says what it did not read.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, asSymbol, DAY_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts';

const server = await postgresForTests();
const FIRST_DAY = Date.UTC(2026, 2, 2);

describe.skipIf(server === null)('the tape in PostgreSQL', () => {
  const data = temporaryFolder();
  let database: TestDatabase;
  const findings = async (): Promise<string[]> => {
    const settings = { data, database_url: database.url, feeds: 'push', port: '0', metrics_port: 'off' };
    const { out } = await runHere(['doctor', '--json'], settings);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { part: string; what: string });
    return lines.flatMap(({ part, what }) => (part === 'tape' ? [what.replace(/^postgres\S+ /, '')] : []));
  };
  const write = async (days: number): Promise<void> => {
    const store = await openPostgresStore({ url: database.url, realm: 'live', role: 'command', folder: data });
    for (let day = 0; day < days; day++) {
      const minute = asEpochMs(FIRST_DAY + day * DAY_MS);
      const sums = { firstSeq: 1, count: 0, bidVolume: 0, askVolume: 0, bytes: new Uint8Array() };
      await store.market.writeTape([{ symbol: asSymbol('EURUSD'), minute, ...sums }]);
    }
    await store.close();
  };
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(async () => {
    await database.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  test('is read up to two days back', async () => {
    await write(2);
    expect(await findings()).toEqual(['2 of 2 days were read']);
    await write(4);
    await database.ask('UPDATE live.tape SET checksum = checksum + 1');
    expect(await findings()).toEqual([
      'live.tape_2026_03_04 has a damaged block: EURUSD, 2026-03-04T00:00; restore the file from a backup',
      'live.tape_2026_03_05 has a damaged block: EURUSD, 2026-03-05T00:00; restore the file from a backup',
      '2 of 4 days were read; the others were not: "tickwire verify" reads all',
    ]);
  });
});
