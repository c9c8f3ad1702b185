import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketSymbol } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { Ledger } from './ledger.ts';
import { openLogKey } from './log-key.ts';

test('a stopped ledger does not retry a write that failed, and rejects new items', async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  let attempts = 0;
  const ledger = await Ledger.open({
    store: store.signals,
    key: openLogKey(join(folder, 'log-key.pem')),
    realm: 'live',
    flushTape: async () => {
      attempts++;
      throw new Error('the tape cannot be written');
    },
    judgedSeq: () => 1,
    now: () => 0,
    log: silentLog,
  });
  ledger.add({ seq: 1, gap: { symbol: 'BTCUSD' as MarketSymbol, seq: 1, from: 0, to: 1 } });
  await ledger.stop();
  expect([attempts, ledger.failure?.message]).toEqual([1, 'the tape cannot be written']);
  await store.close();
  // A retry would follow after half a second.
  await Bun.sleep(700);
  expect([attempts, ledger.waiting]).toEqual([1, 1]);
  const seal = ledger.seal({ day: '2026-03-04', symbol: 'BTCUSD' as MarketSymbol, ticks: 0, sha256: '' });
  await expect(seal).rejects.toThrow('the signal log is closed');
  rmSync(folder, { recursive: true, force: true });
});
