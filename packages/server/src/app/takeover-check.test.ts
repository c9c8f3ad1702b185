import { afterEach, expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { loadConfig } from '../config/config.ts';
import { SchemaError } from '../errors/store-error.ts';
import { silentLog } from '../ops/log.ts';
import { openLogKey } from '../signals/log-key.ts';
import { chainRecord } from '../signals/log-records.ts';
import type { Store } from '../store/store.ts';
import { TakeoverCheck } from './takeover-check.ts';

const folder = temporaryFolder();
const keyFile = join(folder, 'sim', 'log-key.pem');
const opened: TakeoverCheck[] = [];
afterEach(() => {
  for (const check of opened.splice(0)) check.stop();
  rmSync(join(folder, 'sim'), { recursive: true, force: true });
});

/** A standby whose signal log was created with this key; `null` before the log exists. */
function standby(
  log: { publicKey: string | null; deliveryKey?: number },
  checkSchema = async (): Promise<void> => {},
): TakeoverCheck {
  const record = (publicKey: string) =>
    chainRecord(
      {
        type: 'opened',
        rules: 2,
        at: '2026-01-01T00:00:00.000Z',
        log: 'log_1',
        realm: 'sim',
        public_key: publicKey,
      } as never,
      0,
      '',
    );
  const signals = { log: async () => (log.publicKey === null ? [] : [record(log.publicKey)]) };
  const market = { number: async () => log.deliveryKey };
  const store = { signals, market, checkSchema } as unknown as Store;
  const config = loadConfig({ flags: { data: folder, role: 'ingest' }, env: {}, cwd: folder });
  const check = new TakeoverCheck(config, store, silentLog);
  opened.push(check);
  return check;
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let waited = 0; !condition(); waited++) {
    if (waited > 6_000) throw new Error('the condition was not met');
    await Bun.sleep(10);
  }
};

test('a standby can take over before there is a log, without a key of its own', async () => {
  const check = standby({ publicKey: null });
  await check.start();
  expect(check.passed).toBe(true);
});

test('a standby finds out that the log was created with another key, and recovers with the right one', async () => {
  const log = { publicKey: null as string | null };
  const check = standby(log);
  await check.start();
  log.publicKey = 'ab'.repeat(32);
  await until(() => !check.passed);
  expect(check.problems.log_key).toContain('there is no log key');
  mkdirSync(join(folder, 'sim'), { recursive: true });
  const { publicKey } = openLogKey(keyFile);
  await until(() => check.problems.log_key?.includes('is not the key') === true);
  log.publicKey = publicKey;
  await until(() => check.passed);
});

test('a standby without the key of destinations cannot take over', async () => {
  const check = standby({ publicKey: null, deliveryKey: 12_345 });
  await check.start();
  expect(check.problems.delivery_key).toContain('there is no key of destinations at');
});

test('a standby reports a schema that does not fit, but ignores that the database is not reachable', async () => {
  let failure: Error | null = null;
  let checks = 0;
  const check = standby({ publicKey: null }, async () => {
    checks++;
    if (failure) throw failure;
  });
  await check.start();
  failure = new SchemaError('the schema is newer');
  await until(() => !check.passed);
  expect(check.problems).toEqual({ schema: 'the schema is newer' });
  failure = new Error('connection refused');
  const before = checks;
  await until(() => checks > before);
  expect(check.problems).toEqual({ schema: 'the schema is newer' });
});
