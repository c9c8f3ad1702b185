// Creates accounts; creates, rotates and revokes keys. Each of these is recorded in the audit log.
import { SCOPES } from '@tickwire/contract';
import { NameTakenError } from '../store/access-store.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore, KeyRecord } from '../store/store.ts';
import { AccessError } from './access-error.ts';
import { checkName } from './display-name.ts';
import { mintKey, randomSuffix } from './key-format.ts';

/** Stored for a data link. No endpoint accepts it, so that a release without data links rejects them. */
const LINK_SCOPE = 'link';

export interface CreatedKey {
  readonly id: string;
  /** Shown only once. The store has only its hash. */
  readonly key: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly account: Account;
  /** Path and query that a data link reads. Default: an API key. */
  readonly path?: string | null;
  /** The key of the first start. Default `false`. */
  readonly demo?: boolean;
}

export interface Actor {
  readonly store: AccessStore;
  /** Recorded in the audit log: a key id, the public id of a signed-in account, or `command line`. */
  readonly actor: string;
  readonly now: number;
  /** Recorded in the audit log: the address of the client. Default: none. */
  readonly address?: string | null;
  /** The session in which keys are made. Default: none, and for the replacement of a key that of the key. */
  readonly madeIn?: Pick<KeyRecord, 'session' | 'sessionEndedAt'>;
}

export function checkScopes(scopes: readonly string[]): readonly string[] {
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  const available = `available scopes: ${SCOPES.join(', ')}`;
  if (unknown.length > 0) throw new AccessError(`unknown scope ${unknown.join(', ')}; ${available}`);
  if (scopes.length === 0) throw new AccessError(`a key needs at least one scope; ${available}`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/**
 * Creates an account. If the name is taken, `addSuffix` appends a random suffix to it; otherwise this throws. A name that is
 * too long with the suffix is rejected, not cut.
 */
export async function createAccount(
  { store, actor, now, address = null }: Actor,
  name: string,
  tier: string,
  addSuffix: boolean,
): Promise<Account> {
  const requested = checkName(name);
  for (let unique = requested; ; unique = checkName(`${requested} ${randomSuffix()}`)) {
    try {
      const account = await store.createAccount(unique, tier, now);
      await store.audit({
        at: now,
        actor,
        action: 'account created',
        subject: `${account.id} ${account.name} (${tier})`,
        account: account.publicId,
        address,
      });
      return account;
    } catch (error) {
      if (!(error instanceof NameTakenError) || !addSuffix) throw error;
    }
  }
}

export async function issueKey(
  { store, actor, now, address = null, madeIn }: Actor,
  { name, scopes, expiresAt, account, path = null, demo = false }: NewKey,
): Promise<CreatedKey> {
  const minted = mintKey();
  const record: KeyRecord = {
    id: minted.id,
    accountId: account.id,
    name,
    hash: minted.hash,
    scopes: path === null ? checkScopes(scopes) : [LINK_SCOPE],
    createdAt: now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    path,
    ...madeIn,
    demo,
  };
  await store.addKey(record);
  await store.audit({
    at: now,
    actor,
    action: 'key created',
    subject: `${minted.id} of ${account.name} (${path === null ? record.scopes.join(',') : `link to ${path}`})`,
    account: account.publicId,
    address,
  });
  return { id: minted.id, key: minted.key, account, scopes: record.scopes, expiresAt };
}

/** Creates a replacement for a key. The old key stays valid for `overlapMs`, so that its users can switch. */
export async function rotateKey(by: Actor, id: string, overlapMs: number): Promise<CreatedKey> {
  const key = await findKey(by.store, id);
  if (key.revokedAt !== null) throw new AccessError(`key ${id} is revoked; create a new key instead`);
  const account = (await by.store.account(key.accountId))!;
  const { name, scopes, expiresAt, path = null, session = null, sessionEndedAt = null } = key;
  const madeIn = by.madeIn ?? { session, sessionEndedAt };
  const issued = await issueKey({ ...by, madeIn }, { name, scopes, expiresAt, account, path });
  const end = by.now + overlapMs;
  if (key.expiresAt === null || key.expiresAt > end) await by.store.setKeyExpiry(id, end);
  await auditKey(by, 'key rotated', `${id} to ${issued.id}`, account);
  return issued;
}

export async function revokeKey(by: Actor, id: string): Promise<void> {
  const { accountId } = await findKey(by.store, id);
  await by.store.revokeKey(id, by.now);
  await auditKey(by, 'key revoked', id, await by.store.account(accountId));
}

async function auditKey(
  { store, actor, now, address = null }: Actor,
  action: 'key rotated' | 'key revoked',
  subject: string,
  account: Account | undefined,
): Promise<void> {
  await store.audit({ at: now, actor, action, subject, account: account?.publicId ?? null, address });
}

/** Finds a key by its public id. The full key is accepted too, since that is what people have at hand. */
export async function findKey(store: AccessStore, text: string): Promise<KeyRecord> {
  const id = /^tw_([0-9a-z]+)(_|$)/.exec(text)?.[1] ?? text;
  const key = await store.key(id);
  if (!key) throw new AccessError(`there is no key with the id ${id}; run "tickwire keys list" to see all keys`);
  return key;
}

/** Finds an account by its display name (case-insensitive) or its number. */
export async function findAccount(store: AccessStore, text: string): Promise<Account> {
  const accounts = (await store.accounts()).filter(({ deletedAt }) => deletedAt === null);
  const account =
    accounts.find((candidate) => candidate.name.toLowerCase() === text.toLowerCase()) ??
    accounts.find((candidate) => String(candidate.id) === text);
  if (!account) throw new AccessError(`there is no account ${text}; run "tickwire accounts list" to see all accounts`);
  return account;
}
