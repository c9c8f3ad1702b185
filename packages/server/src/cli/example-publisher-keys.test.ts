import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrategyName } from '@tickwire/house';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { createAccount, issueKey, revokeKey, rotateKey } from '../access/issue-key.ts';
import { keyId } from '../access/key-format.ts';
import { createLog } from '../ops/log.ts';
import { PUBLISHER_KEYS } from '../store/data-files.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AccessStore, KeyRecord } from '../store/store.ts';
import { type ExamplePublisherKey, examplePublisherKeys } from './example-publisher-keys.ts';

const ALL = ['breakout', 'mean_reversion', 'trend'] as const;

let folder: string;
let store: AccessStore;
let close: () => void;
let said: string;
/** Increases with every start. */
let now = Date.now();
const log = createLog({
  level: 'info',
  plain: true,
  write: (line) => {
    said += line;
  },
});

beforeEach(() => {
  folder = temporaryFolder();
  ({ access: store, close } = openSqliteAccessStore(folder));
  said = '';
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, PUBLISHER_KEYS);
function started(strategies: readonly StrategyName[] = ALL): Promise<ExamplePublisherKey[]> {
  now += 1_000;
  return examplePublisherKeys({ folder, strategies, store, log, now });
}
const names = async (): Promise<string[]> => (await store.accounts()).map(({ name }) => name);
const parseRecord = async (key: string): Promise<KeyRecord> =>
  (await store.keys()).find(({ id }) => id === keyId(key))!;
const operator = () => ({ store, actor: 'command line', now });

test('the first start creates an account and a key for each, in a file that only its owner can read', async () => {
  const keys = await started();
  expect(keys.map(({ strategy }) => strategy)).toEqual([...ALL]);
  expect(await store.accounts()).toMatchObject([
    { name: 'House Breakout', tier: 'premium', house: true },
    { name: 'House Mean Reversion', tier: 'premium', house: true },
    { name: 'House Trend', tier: 'premium', house: true },
  ]);
  for (const { key } of keys) expect((await parseRecord(key)).scopes).toEqual(['read', 'publish']);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(
    Object.fromEntries(keys.map(({ strategy, key }) => [strategy, key])),
  );
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith(PUBLISHER_KEYS))).toEqual([PUBLISHER_KEYS]);
  const actors = new Set((await store.auditLog({ limit: 100 })).map(({ actor }) => actor));
  expect(actors).toEqual(new Set(['house']));
  expect(said).toBe('');
});

test('later starts use the same keys and create nothing', async () => {
  const first = await started();
  expect(await started()).toEqual(first);
  expect(await started(['trend'])).toEqual([first[2]!]);
  expect([(await store.keys()).length, (await names()).length]).toEqual([3, 3]);
});

test('adding a publisher keeps the existing keys', async () => {
  const [trend] = await started(['trend']);
  const keys = await started();
  expect(keys[2]).toEqual(trend!);
  expect(await store.keys()).toHaveLength(3);
});

test('a key that the operator revoked is not replaced; the publisher is left out with a log message', async () => {
  const [breakout, ...others] = await started();
  await revokeKey(operator(), keyId(breakout!.key)!);
  expect(await started()).toEqual(others);
  expect(said).toContain('revoked');
  expect(said).toContain('House Breakout');
  expect(await started()).toEqual(others);
  expect(await store.keys()).toHaveLength(3);
});

test('a revoked key is not replaced if the file is lost either', async () => {
  const [breakout] = await started(['breakout']);
  await revokeKey(operator(), keyId(breakout!.key)!);
  rmSync(file());
  expect(await started(['breakout'])).toEqual([]);
  expect(await store.keys()).toHaveLength(1);
});

test('a new key from the operator in the file enables the publisher again', async () => {
  const [breakout] = await started(['breakout']);
  await revokeKey(operator(), keyId(breakout!.key)!);
  const [account] = await store.accounts();
  const request = { name: 'given', scopes: ['read', 'publish'], expiresAt: null, account: account! };
  const { key } = await issueKey(operator(), request);
  writeFileSync(file(), JSON.stringify({ breakout: key }));
  expect(await started(['breakout'])).toEqual([{ strategy: 'breakout', key }]);
});

test('an expired key, as after a rotation, is replaced by one of the same account', async () => {
  const [breakout] = await started(['breakout']);
  await rotateKey(operator(), keyId(breakout!.key)!, 0);
  const [replaced] = await started(['breakout']);
  expect(replaced!.key).not.toBe(breakout!.key);
  expect((await parseRecord(replaced!.key)).accountId).toBe((await parseRecord(breakout!.key)).accountId);
  expect(await started(['breakout'])).toEqual([replaced!]);
  expect(await names()).toEqual(['House Breakout']);
});

test('keeps the account if the file is lost, as after restoring a backup', async () => {
  const [trend] = await started(['trend']);
  rmSync(file());
  const [again] = await started(['trend']);
  expect(again!.key).not.toBe(trend!.key);
  expect((await parseRecord(again!.key)).accountId).toBe((await parseRecord(trend!.key)).accountId);
  expect(await names()).toEqual(['House Trend']);
});

test('keeps a renamed account if the file is lost', async () => {
  await started(['trend']);
  await store.rename((await store.accounts())[0]!.id, 'Follower', now);
  rmSync(file());
  await started(['trend']);
  expect(await names()).toEqual(['Follower']);
});

test('uses a name with a suffix if the name is taken, and keeps it', async () => {
  await createAccount(operator(), 'House Trend', 'free', false);
  const [trend] = await started(['trend']);
  const [, own] = await names();
  expect(own).toMatch(/^House Trend \w{6}$/);
  rmSync(file());
  const [again] = await started(['trend']);
  expect((await parseRecord(again!.key)).accountId).toBe((await parseRecord(trend!.key)).accountId);
  expect(await names()).toHaveLength(2);
});

test('replaces a malformed file, and one with keys of another store', async () => {
  for (const text of ['', '{', '[]', 'null', '{"breakout":7}', '{"breakout":"tw_x"}']) {
    writeFileSync(file(), text);
    const [breakout] = await started(['breakout']);
    expect(JSON.parse(readFileSync(file(), 'utf8')).breakout).toBe(breakout!.key);
    expect(await started(['breakout'])).toEqual([breakout!]);
  }
  expect(await names()).toEqual(['House Breakout']);
  expect(said).not.toMatch(/tw_[0-9a-z]+_[0-9a-z]/);
});
