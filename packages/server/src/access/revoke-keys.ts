// Revokes all keys of an account, for a password that someone else may have known.
import type { KeyRecord } from '../store/store.ts';
import { type Actor, revokeKey } from './issue-key.ts';

export async function validKeys({ store, now }: Actor, { id }: { readonly id: number }): Promise<KeyRecord[]> {
  return (await store.keysOf(id)).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? Number.POSITIVE_INFINITY) > now,
  );
}

/** Returns the number of revoked keys. */
export async function revokeKeys(by: Actor, account: { readonly id: number }): Promise<number> {
  const keys = await validKeys(by, account);
  for (const { id } of keys) await revokeKey(by, id);
  return keys.length;
}
