// Making, rotating and revoking keys, with the entry in the audit log that each of these leaves.
import { SCOPES } from '@tickwire/contract';
import { NameTakenError } from '../store/access-store.ts';
import type { AccessStore, Account, KeyRecord } from '../store/store.ts';
import { mintKey, randomMark } from './key-format.ts';

/** A request that cannot be carried out; the message is for the person who made it. */
export class AccessError extends Error {
  override name = 'AccessError';
}

const DISPLAY_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,47}$/u;
/** Signals of a deleted account stand under its public id: nobody may go by one. */
const PUBLIC_ID = /^pub_[0-9a-f]{16}$/i;

export interface IssuedKey {
  readonly id: string;
  /** Shown once, stored nowhere. */
  readonly key: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
}

export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly account: Account;
}

export interface Actor {
  readonly store: AccessStore;
  /** Who acts: a key id, the public id of a signed-in account, or `command line`. */
  readonly actor: string;
  readonly now: number;
}

export function checkScopes(scopes: readonly string[]): readonly string[] {
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) throw new AccessError(`unknown scope ${unknown.join(', ')}: there are ${SCOPES.join(', ')}`);
  if (scopes.length === 0) throw new AccessError(`a key needs a scope: ${SCOPES.join(', ')}`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

export function checkName(name: string): string {
  const trimmed = name.trim().normalize('NFC');
  if (!DISPLAY_NAME.test(trimmed) || PUBLIC_ID.test(trimmed)) {
    throw new AccessError(`the name "${name}" must be 1 to 48 letters, digits, spaces, dots, dashes or underscores`);
  }
  return trimmed;
}

/** Makes an account under the name. Where it is taken, `marked` lets it have the name with a random mark behind it. */
export async function createAccount(
  { store, actor, now }: Actor,
  name: string,
  tier: string,
  marked: boolean,
): Promise<Account> {
  const wanted = checkName(name);
  for (let given = wanted; ; given = `${wanted.slice(0, 40)} ${randomMark()}`) {
    try {
      const account = await store.createAccount(given, tier, now);
      await store.audit({ at: now, actor, act: 'account created', subject: `${account.id} ${account.name} (${tier})` });
      return account;
    } catch (error) {
      if (!(error instanceof NameTakenError) || !marked) throw error;
    }
  }
}

export async function issueKey(
  { store, actor, now }: Actor,
  { name, scopes, expiresAt, account }: KeyRequest,
): Promise<IssuedKey> {
  const minted = mintKey();
  const record: KeyRecord = {
    id: minted.id,
    accountId: account.id,
    name,
    hash: minted.hash,
    scopes: checkScopes(scopes),
    createdAt: now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  };
  await store.addKey(record);
  await store.audit({
    at: now,
    actor,
    act: 'key created',
    subject: `${minted.id} of ${account.name} (${record.scopes.join(',')})`,
  });
  return { id: minted.id, key: minted.key, account, scopes: record.scopes, expiresAt };
}

/** A new key in place of an old one, which stays good for `overlapMs` so that its users can change over. */
export async function rotateKey(by: Actor, id: string, overlapMs: number): Promise<IssuedKey> {
  const key = await findKey(by.store, id);
  if (key.revokedAt !== null) throw new AccessError(`key ${id} is revoked: create a new one`);
  const account = (await by.store.accounts()).find((candidate) => candidate.id === key.accountId)!;
  const issued = await issueKey(by, { name: key.name, scopes: key.scopes, expiresAt: key.expiresAt, account });
  const end = by.now + overlapMs;
  if (key.expiresAt === null || key.expiresAt > end) await by.store.setKeyExpiry(id, end);
  await by.store.audit({ at: by.now, actor: by.actor, act: 'key rotated', subject: `${id} to ${issued.id}` });
  return issued;
}

export async function revokeKey({ store, actor, now }: Actor, id: string): Promise<void> {
  await findKey(store, id);
  await store.revokeKey(id, now);
  await store.audit({ at: now, actor, act: 'key revoked', subject: id });
}

/** By public id; a whole key is taken too, since that is what people have at hand. */
export async function findKey(store: AccessStore, text: string): Promise<KeyRecord> {
  const id = /^tw_([0-9a-z]+)(_|$)/.exec(text)?.[1] ?? text;
  const key = (await store.keys()).find((candidate) => candidate.id === id);
  if (!key) throw new AccessError(`no key has the id ${id}: "tickwire keys list" shows them`);
  return key;
}

/** By number or by name, whatever its case. */
export async function findAccount(store: AccessStore, text: string): Promise<Account> {
  const accounts = (await store.accounts()).filter(({ deletedAt }) => deletedAt === null);
  const account =
    accounts.find((candidate) => candidate.name.toLowerCase() === text.toLowerCase()) ??
    accounts.find((candidate) => String(candidate.id) === text);
  if (!account) throw new AccessError(`no account is called ${text}: "tickwire accounts list" shows them`);
  return account;
}
