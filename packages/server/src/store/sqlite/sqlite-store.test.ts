import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { storeContract } from '../store.contract.ts';
import { openSqliteStore } from './open.ts';

storeContract('SQLite', async () => {
  const folder = temporaryFolder();
  return {
    open: async () => openSqliteStore({ folder, realm: 'sim', exclusive: false }),
    openCopy: async (copy) => openSqliteStore({ folder: copy, realm: 'sim', exclusive: false }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test('simulated and real data share accounts, never market data', async () => {
  const folder = temporaryFolder();
  const [sim, live] = (['sim', 'live'] as const).map((realm) => openSqliteStore({ folder, realm, exclusive: true }));
  await sim!.access.createAccount('Ada', 'free', 1);
  await sim!.market.setNumber('bars_until', 5);
  expect(await live!.access.accounts()).toHaveLength(1);
  expect(await live!.market.number('bars_until')).toBeUndefined();
  await Promise.all([sim!.close(), live!.close()]);
  rmSync(folder, { recursive: true });
});

test('a second service on the folder is refused in one line, and let in when the first is gone', async () => {
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
