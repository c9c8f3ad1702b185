// Changes accounts and keys outside a running service, as the command line does.
import { type CreatedKey, issueKey, revokeKey } from '../src/access/issue-key.ts';
import type { Account } from '../src/store/account-store.ts';
import { openSqliteAccessStore } from '../src/store/sqlite/open-sqlite-store.ts';
import type { AccessStore } from '../src/store/store.ts';

export async function withAccessStore<T>(folder: string, work: (access: AccessStore) => Promise<T>): Promise<T> {
  const { access, close } = openSqliteAccessStore(folder);
  try {
    return await work(access);
  } finally {
    close();
  }
}

/** Creates another key of an existing account. */
export const anotherKey = (
  folder: string,
  account: Account,
  expiresAt: number | null = null,
  scopes: readonly string[] = ['read'],
): Promise<CreatedKey> =>
  withAccessStore(folder, (store) =>
    issueKey({ store, actor: 'test', now: Date.now() }, { name: 'another', scopes, expiresAt, account }),
  );

export const revoke = (folder: string, { id }: CreatedKey): Promise<void> =>
  withAccessStore(folder, (store) => revokeKey({ store, actor: 'test', now: Date.now() }, id));

export const changeTier = (folder: string, { account }: CreatedKey, tier: string): Promise<void> =>
  withAccessStore(folder, (store) => store.setTier(account.id, tier));
