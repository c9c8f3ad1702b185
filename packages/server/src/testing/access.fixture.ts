// Changes to accounts and keys from beside a running service, as the command line makes them.
import { type IssuedKey, issueKey, revokeKey } from '../access/issue-key.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import type { AccessStore, Account } from '../store/store.ts';

export async function beside<T>(folder: string, work: (access: AccessStore) => Promise<T>): Promise<T> {
  const { access, close } = openAccessStore(folder);
  try {
    return await work(access);
  } finally {
    close();
  }
}

/** Another key of an account there is. */
export const anotherKey = (
  folder: string,
  account: Account,
  expiresAt: number | null = null,
  scopes: readonly string[] = ['read'],
): Promise<IssuedKey> =>
  beside(folder, (store) =>
    issueKey({ store, actor: 'test', now: Date.now() }, { name: 'another', scopes, expiresAt, account }),
  );

export const revoke = (folder: string, { id }: IssuedKey): Promise<void> =>
  beside(folder, (store) => revokeKey({ store, actor: 'test', now: Date.now() }, id));

export const changeTier = (folder: string, { account }: IssuedKey, tier: string): Promise<void> =>
  beside(folder, (store) => store.setTier(account.id, tier));
