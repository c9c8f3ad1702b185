import { expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { storeContract } from '../../../testing/store/store.suite.ts';
import { StoreError } from '../../errors/store-error.ts';
import { toStoreError } from './errors.ts';
import { copySqliteStore, openSqliteStore } from './open-sqlite-store.ts';

storeContract('SQLite', async () => {
  const folder = temporaryFolder();
  return {
    open: async () => openSqliteStore({ folder, realm: 'sim', exclusive: false }),
    backUp: async (copy) => copySqliteStore({ data: folder, instruments: null }, copy),
    openCopy: async (copy) => openSqliteStore({ folder: copy, realm: 'sim', exclusive: false }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test.each([
  ['ENOSPC', 'the.db cannot grow: the disk is full (ENOSPC)'],
  ['EMFILE', 'the.db cannot be opened: too many files are open (EMFILE)'],
  ['EROFS', 'the.db cannot be created: check the folder and its permissions (EROFS)'],
])('the error %s of a file says what to do', (code, message) => {
  expect((toStoreError('the.db', Object.assign(new Error(), { code })) as Error).message).toBe(message);
});

test('simulated and live data share accounts, never market data', async () => {
  const folder = temporaryFolder();
  const [sim, live] = (['sim', 'live'] as const).map((realm) => openSqliteStore({ folder, realm, exclusive: true }));
  await sim!.access.createAccount('Ada', 'free', 1);
  await sim!.market.setNumber('bars_until', 5);
  expect(await live!.access.accounts()).toHaveLength(1);
  expect(await live!.market.number('bars_until')).toBeUndefined();
  await Promise.all([sim!.close(), live!.close()]);
  rmSync(folder, { recursive: true });
});

test('the version shows changes of another process immediately', async () => {
  const folder = temporaryFolder();
  const [one, other] = [0, 1].map(() => openSqliteStore({ folder, realm: 'sim', exclusive: false }));
  const before = one!.access.version();
  await other!.access.createAccount('Ada', 'free', 1);
  expect(one!.access.version()).not.toBe(before);
  await Promise.all([one!.close(), other!.close()]);
  rmSync(folder, { recursive: true });
});

test('a second service on the folder is rejected in one line, and accepted when the first is gone', async () => {
  const folder = temporaryFolder();
  const first = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  expect(() => openSqliteStore({ folder, realm: 'sim', exclusive: true })).toThrow(
    /is in use by another Tickwire: stop it/,
  );
  await first.close();
  const second = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  await second.close();
  rmSync(folder, { recursive: true });
});

/** A realm with a sealed day of two instruments and its log key, whose file mode is too open. */
function withPlainFiles(realm: 'sim' | 'replay'): string {
  const folder = temporaryFolder();
  const files = ['evidence/2026-03-02/EURUSD.jsonl.gz', 'evidence/2026-03-03/BTCUSDT.P.jsonl.gz', 'log-key.pem'];
  for (const name of files) {
    const file = join(folder, realm, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, new Uint8Array([...Buffer.from(name), 0, 255]));
  }
  chmodSync(join(folder, realm, 'log-key.pem'), 0o644);
  return folder;
}

test('a backup contains the evidence and the log key, readable only by its owner', async () => {
  const folder = withPlainFiles('sim');
  const copy = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  const files = copySqliteStore({ data: folder, instruments: null }, copy).map((file) => relative(copy, file));
  await store.close();
  const plain = files.filter((name) => !name.endsWith('.db'));
  expect(plain.sort()).toEqual([
    'sim/evidence/2026-03-02/EURUSD.jsonl.gz',
    'sim/evidence/2026-03-03/BTCUSDT.P.jsonl.gz',
    'sim/log-key.pem',
  ]);
  for (const name of plain) expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(folder, name)));
  expect(statSync(join(copy, 'sim/log-key.pem')).mode & 0o777).toBe(0o600);
  for (const each of [folder, copy]) rmSync(each, { recursive: true });
});

test('a backup overwrites no evidence and no key', async () => {
  const folder = withPlainFiles('sim');
  for (const name of ['sim/evidence/2026-03-02/EURUSD.jsonl.gz', 'sim/log-key.pem']) {
    const copy = temporaryFolder();
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), 'of mine');
    const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
    expect(() => copySqliteStore({ data: folder, instruments: null }, copy)).toThrow(StoreError);
    await store.close();
    expect(readFileSync(join(copy, name), 'utf8')).toBe('of mine');
    rmSync(copy, { recursive: true });
  }
  rmSync(folder, { recursive: true });
});

test('emptying a realm deletes its signals, evidence and log key, and nothing of another realm', async () => {
  const folder = withPlainFiles('replay');
  const open = (realm: 'sim' | 'replay', empty: boolean) => openSqliteStore({ folder, realm, exclusive: true, empty });
  for (const realm of ['sim', 'replay'] as const) {
    const store = open(realm, false);
    await store.signals.write(someSignals);
    await store.close();
  }
  const [replay, sim] = [open('replay', true), open('sim', false)];
  expect(await replay.signals.tail()).toBeUndefined();
  expect((await sim.signals.tail())?.n).toBe(4);
  for (const name of ['evidence', 'log-key.pem']) expect(existsSync(join(folder, 'replay', name))).toBe(false);
  await Promise.all([replay.close(), sim.close()]);
  rmSync(folder, { recursive: true });
});
