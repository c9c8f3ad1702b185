// Accounts and keys of the house publishers. They are accounts like any other, made as the command line makes them. The store
// knows only hashes, so the keys themselves are kept in a file beside it, readable by its owner alone.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StrategyName } from '@tickwire/house';
import { type Actor, createAccount, issueKey } from '../access/issue-key.ts';
import { keyId, matchesHash } from '../access/key-format.ts';
import type { Log } from '../ops/log.ts';
import { syncFolder } from '../signals/log-key.ts';
import type { AccessStore, Account, KeyRecord } from '../store/store.ts';

export const KEY_FILE = 'house-keys.json';

const ACTOR = 'house';
const KEY_NAME = 'house';
const TIER = 'premium';
/** Without end: the account may have been made long ago. */
const WHOLE_AUDIT_LOG = Number.MAX_SAFE_INTEGER;

export const HOUSE_NAMES: Readonly<Record<StrategyName, string>> = {
  breakout: 'House Breakout',
  mean_reversion: 'House Mean Reversion',
  trend: 'House Trend',
};

export interface HouseKey {
  readonly strategy: StrategyName;
  readonly key: string;
}

export interface HouseKeysOptions {
  readonly folder: string;
  readonly strategies: readonly StrategyName[];
  readonly store: AccessStore;
  readonly log: Log;
  readonly now: number;
}

/** A good key for each strategy, made where there is none; none for those whose key the operator has revoked. */
export async function houseKeys({ folder, strategies, store, log, now }: HouseKeysOptions): Promise<HouseKey[]> {
  const file = join(folder, KEY_FILE);
  const by: Actor = { store, actor: ACTOR, now };
  const kept = readKeys(file, log);
  const found: HouseKey[] = [];
  for (const strategy of strategies) {
    const { key, state } = await keyOf(by, strategy, kept[strategy]);
    if (state === 'revoked') {
      log.warn('the key of a house publisher is revoked: it stays silent', { publisher: HOUSE_NAMES[strategy] });
      continue;
    }
    if (state === 'new') {
      kept[strategy] = key;
      // After each: a key that was issued and not kept is lost.
      writeKeys(file, kept);
    }
    found.push({ strategy, key });
  }
  return found;
}

type Key = { readonly state: 'kept' | 'new'; readonly key: string } | { readonly state: 'revoked'; readonly key: null };

async function keyOf(by: Actor, strategy: StrategyName, key: string | undefined): Promise<Key> {
  const keys = await by.store.keys();
  const record = key === undefined ? undefined : recordOf(keys, key);
  if (record?.revokedAt === null && (record.expiresAt ?? Number.POSITIVE_INFINITY) > by.now)
    return { state: 'kept', key: key! };
  const own = await ownAccount(by.store, strategy, record);
  // Also where the file was lost: what the operator has revoked is not for us to give back.
  const newest = record ?? keys.filter(({ accountId, name }) => accountId === own?.id && name === KEY_NAME).at(-1);
  if (newest && newest.revokedAt !== null) return { state: 'revoked', key: null };
  const account = own ?? (await createAccount(by, HOUSE_NAMES[strategy], TIER, true));
  const issued = await issueKey(by, { name: KEY_NAME, scopes: ['read', 'publish'], expiresAt: null, account });
  return { state: 'new', key: issued.key };
}

function recordOf(keys: readonly KeyRecord[], key: string): KeyRecord | undefined {
  const record = keys.find(({ id }) => id === keyId(key));
  return record && matchesHash(key, record.hash) ? record : undefined;
}

/**
 * The strategy's account of an earlier start: that of its key, or else the one that the house made under its name, as the
 * audit log tells. An account of that name which somebody else made is theirs.
 */
async function ownAccount(
  store: AccessStore,
  strategy: StrategyName,
  record: KeyRecord | undefined,
): Promise<Account | undefined> {
  const accounts = await store.accounts();
  if (record) return accounts.find(({ id }) => id === record.accountId);
  const made = (await store.auditLog(WHOLE_AUDIT_LOG))
    .filter(({ actor, act }) => actor === ACTOR && act === 'account created')
    .map(({ subject }) => /^(\d+) (.*) \(\w+\)$/.exec(subject))
    // With a mark behind it where the name was taken.
    .find((match) => match?.[2] === HOUSE_NAMES[strategy] || match?.[2]?.startsWith(`${HOUSE_NAMES[strategy]} `));
  return accounts.find(({ id }) => String(id) === made?.[1]);
}

function readKeys(file: string, log: Log): Partial<Record<StrategyName, string>> {
  if (!existsSync(file)) return {};
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) throw new Error('it holds no object');
    return Object.fromEntries(Object.entries(kept).filter(([, key]) => typeof key === 'string'));
  } catch (error) {
    log.warn('the keys of the house cannot be read: it gets new ones', { file, reason: (error as Error).message });
    return {};
  }
}

/** Whole or not at all. */
function writeKeys(file: string, keys: Partial<Record<StrategyName, string>>): void {
  const draft = `${file}.${process.pid}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(keys, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}
