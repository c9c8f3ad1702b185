// Converts rows of accounts, keys and sessions into the records of the store.
import type { KeyRecord } from '../access-store.ts';
import type { Account, SessionRecord } from '../account-store.ts';
import type { AccessTables } from './access-tables.ts';

/** Without the password hash, which only `passwordOf` returns. */
export const accountOf = (row: AccessTables['accounts']): Account => ({
  id: row.id,
  publicId: row.public_id,
  name: row.name,
  tier: row.tier,
  createdAt: row.created_at,
  owner: row.owner === 1,
  house: row.house === 1,
  signsIn: row.password !== null,
  disabledAt: row.disabled_at,
  deletedAt: row.deleted_at,
});

export const keyOf = (row: AccessTables['keys']): KeyRecord => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  hash: row.hash,
  scopes: row.scopes.split(',').filter(Boolean),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
  path: row.path,
});

export const sessionOf = (row: AccessTables['sessions']): SessionRecord => ({
  id: row.id,
  accountId: row.account_id,
  hash: row.hash,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  browser: row.browser,
  address: row.address,
});
