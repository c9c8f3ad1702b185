import { expect, jest, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import type { SignalWrite } from '../store/signal-store.ts';
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
  jest.useFakeTimers();
  ledger.add({ seq: 1, gap: { symbol: 'BTCUSD' as MarketSymbol, seq: 1, from: 0, to: 1 } });
  await ledger.stop();
  expect([attempts, ledger.failure?.message]).toEqual([1, 'the tape cannot be written']);
  await store.close();
  // A retry would follow after half a second.
  jest.advanceTimersByTime(MINUTE_MS);
  jest.useRealTimers();
  expect([attempts, ledger.waiting]).toEqual([1, 1]);
  const seal = ledger.seal({ day: '2026-03-04', symbol: 'BTCUSD' as MarketSymbol, ticks: 0, sha256: '' });
  await expect(seal).rejects.toThrow('the signal log is closed');
  rmSync(folder, { recursive: true, force: true });
});

test('times of records and heads never fall, whatever the clock does, also across a restart', async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  let now = 50_000;
  let writable = Promise.withResolvers<void>();
  writable.resolve();
  const open = (headAt?: number) =>
    Ledger.open({
      store: store.signals,
      key: openLogKey(join(folder, 'log-key.pem')),
      realm: 'live',
      flushTape: () => writable.promise,
      judgedSeq: () => 1,
      ...(headAt !== undefined && { headAt }),
      now: () => now,
      log: silentLog,
    });
  const key = (ledger: Ledger): Promise<number> => {
    const at = new Date(ledger.timestamp()).toISOString();
    const record = { type: 'publisher_key', rules: 2, at, publisher: 'pub_1', public_key: null } as const;
    return ledger.record({ seq: 1, record, signingKey: { publisher: 'pub_1', publicKey: null } });
  };
  const ledger = await open();
  now = 70_000;
  await key(ledger);
  now = 60_000;
  await key(ledger);
  expect(Date.parse(ledger.head().at)).toBe(70_000);
  // A head that is signed while a record waits is not later than the record.
  writable = Promise.withResolvers();
  now = 80_000;
  const waiting = key(ledger);
  now = 90_000;
  await Bun.sleep(1);
  expect(ledger.head()).toMatchObject({ n: 2, at: new Date(70_000).toISOString() });
  writable.resolve();
  await waiting;
  expect(ledger.head()).toMatchObject({ n: 3, at: new Date(90_000).toISOString() });
  // A head shows that the log had no further record at its time, so it is signed again after a minute.
  now = 149_999;
  expect(ledger.head()).toMatchObject({ n: 3, at: new Date(90_000).toISOString() });
  now = 150_000;
  expect(ledger.head()).toMatchObject({ n: 3, at: new Date(150_000).toISOString() });
  await ledger.stop();
  now = 10_000;
  const again = await open(90_000);
  await key(again);
  await again.stop();
  const ats = (await store.signals.log(-1, 99)).map(({ text }) => Date.parse((JSON.parse(text) as { at: string }).at));
  expect(ats).toEqual([50_000, 70_000, 70_000, 80_000, 90_000]);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('records that are added in one turn of the event loop are stored in one transaction', async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const written: number[] = [];
  const write = (changes: SignalWrite): Promise<void> => {
    written.push(changes.records.length);
    return store.signals.write(changes);
  };
  const ledger = await Ledger.open({
    store: { ...store.signals, write },
    key: openLogKey(join(folder, 'log-key.pem')),
    realm: 'live',
    flushTape: async () => {},
    judgedSeq: () => 1,
    now: () => 0,
    log: silentLog,
  });
  const at = new Date(0).toISOString();
  const numbers = [1, 2, 3].map(async (_, index) => {
    // Requests that arrive together are read one after the other.
    for (let step = 0; step < 20 * index; step++) await Promise.resolve();
    const record = { type: 'publisher_key', rules: 2, at, publisher: `pub_${index}`, public_key: null } as const;
    return ledger.record({ seq: 1, record, signingKey: { publisher: `pub_${index}`, publicKey: null } });
  });
  expect(await Promise.all(numbers)).toEqual([1, 2, 3]);
  expect(written).toEqual([1, 3]);
  await ledger.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
