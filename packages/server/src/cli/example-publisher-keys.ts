// Accounts and keys of the example publishers. They are ordinary accounts, created as on the command line. The store has only
// hashes of keys, so the keys are stored in a file next to it that only its owner can read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrategyName } from '@tickwire/house';
import { type Actor, createAccount, issueKey } from '../access/issue-key.ts';
import { keyId, matchesHash } from '../access/key-format.ts';
import { writePrivateFile } from '../ops/durable-file.ts';
import type { Log } from '../ops/log.ts';
import type { Account } from '../store/account-store.ts';
import { PUBLISHER_KEYS } from '../store/data-files.ts';
import type { AccessStore, KeyRecord } from '../store/store.ts';

const ACTOR = 'house';
const KEY_NAME = 'house';
const TIER = 'premium';
/** No limit: the account may have been created long ago. */
const WHOLE_AUDIT_LOG = Number.MAX_SAFE_INTEGER;

export const PUBLISHER_NAMES: Readonly<Record<StrategyName, string>> = {
  breakout: 'House Breakout',
  mean_reversion: 'House Mean Reversion',
  trend: 'House Trend',
};

export interface ExamplePublisherKey {
  readonly strategy: StrategyName;
  readonly key: string;
}

export interface ExamplePublisherKeysOptions {
  readonly folder: string;
  readonly strategies: readonly StrategyName[];
  readonly store: AccessStore;
  readonly log: Log;
  readonly now: number;
}

/** A valid key for each strategy, created if there is none. Strategies whose key the operator has revoked are left out. */
export async function examplePublisherKeys(options: ExamplePublisherKeysOptions): Promise<ExamplePublisherKey[]> {
  const { folder, strategies, store, log, now } = options;
  const file = join(folder, PUBLISHER_KEYS);
  const by: Actor = { store, actor: ACTOR, now };
  const stored = readKeys(file, log);
  const found: ExamplePublisherKey[] = [];
  for (const strategy of strategies) {
    const { key, state } = await keyOf(by, strategy, stored[strategy]);
    if (state === 'revoked') {
      log.warn('the key of an example publisher is revoked; it does not publish', {
        publisher: PUBLISHER_NAMES[strategy],
      });
      continue;
    }
    if (state === 'new') {
      stored[strategy] = key;
      // After each key: one that is created but not written is lost.
      writePrivateFile(file, `${JSON.stringify(stored, null, 2)}\n`);
    }
    found.push({ strategy, key });
  }
  return found;
}

type Key =
  | { readonly state: 'stored' | 'new'; readonly key: string }
  | { readonly state: 'revoked'; readonly key: null };

async function keyOf(by: Actor, strategy: StrategyName, key: string | undefined): Promise<Key> {
  const keys = await by.store.keys();
  const record = key === undefined ? undefined : parseRecord(keys, key);
  if (record?.revokedAt === null && (record.expiresAt ?? Number.POSITIVE_INFINITY) > by.now)
    return { state: 'stored', key: key! };
  const own = await ownAccount(by.store, strategy, record);
  // Also if the file was lost: a key that the operator has revoked must not be replaced.
  const newest = record ?? keys.filter(({ accountId, name }) => accountId === own?.id && name === KEY_NAME).at(-1);
  if (newest && newest.revokedAt !== null) return { state: 'revoked', key: null };
  const account = own ?? (await createAccount(by, PUBLISHER_NAMES[strategy], TIER, true));
  if (!account.house) await by.store.markHouse(account.id);
  const issued = await issueKey(by, { name: KEY_NAME, scopes: ['read', 'publish'], expiresAt: null, account });
  return { state: 'new', key: issued.key };
}

function parseRecord(keys: readonly KeyRecord[], key: string): KeyRecord | undefined {
  const record = keys.find(({ id }) => id === keyId(key));
  return record && matchesHash(key, record.hash) ? record : undefined;
}

/**
 * The account of a strategy from an earlier start: the account of its key, or the one that the audit log shows as created
 * here under its name. An account of that name that someone else created is not used.
 */
async function ownAccount(
  store: AccessStore,
  strategy: StrategyName,
  record: KeyRecord | undefined,
): Promise<Account | undefined> {
  const accounts = await store.accounts();
  if (record) return accounts.find(({ id }) => id === record.accountId);
  const created = (await store.auditLog({ action: 'account created', limit: WHOLE_AUDIT_LOG }))
    .filter(({ actor }) => actor === ACTOR)
    .map(({ subject }) => /^(\d+) (.*) \(\w+\)$/.exec(subject))
    // With a suffix if the name was taken.
    .find(
      (match) => match?.[2] === PUBLISHER_NAMES[strategy] || match?.[2]?.startsWith(`${PUBLISHER_NAMES[strategy]} `),
    );
  return accounts.find(({ id }) => String(id) === created?.[1]);
}

function readKeys(file: string, log: Log): Partial<Record<StrategyName, string>> {
  if (!existsSync(file)) return {};
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored))
      throw new Error('it is not a JSON object');
    return Object.fromEntries(Object.entries(stored).filter(([, key]) => typeof key === 'string'));
  } catch (error) {
    log.warn('cannot read publisher keys; creating new ones', {
      file,
      reason: (error as Error).message,
    });
    return {};
  }
}
