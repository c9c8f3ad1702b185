// As long as nobody owns the service, each start makes a link that makes the owner, and only the newest is good. Who can read
// what the service prints may own it; nobody else can.
import { randomId, randomSecret } from '../access/key-format.ts';
import { hashToken } from '../access/sessions.ts';
import type { AccessStore } from '../store/store.ts';

const OWNER_TIER = 'premium';

/** The token of the link, or null where there is an owner. */
export async function makeSetupToken(store: AccessStore, now: number): Promise<string | null> {
  await store.dropOwnerInvitations();
  if ((await store.accounts()).some(({ owner }) => owner)) return null;
  const token = randomSecret();
  await store.addInvitation({
    id: randomId('setup'),
    hash: hashToken(token),
    tier: OWNER_TIER,
    owner: true,
    createdAt: Math.floor(now),
    expiresAt: null,
    usedAt: null,
    revokedAt: null,
    accountId: null,
  });
  return token;
}
