// What a first start creates: a demo key for an embedded installation, and the link that creates the owner account.
import { NameTakenError } from '../store/access-store.ts';
import type { AccessStore } from '../store/store.ts';
import { createAccount, issueKey } from './issue-key.ts';
import { randomId, randomSecret } from './key-format.ts';
import { hashToken } from './sessions.ts';

const DEMO_NAME = 'demo';
const OWNER_TIER = 'premium';

/** The demo key, or `null` if an earlier start created it: the name of its account is never reused. */
export async function createDemoKey(store: AccessStore): Promise<string | null> {
  const by = { store, actor: 'first start', now: Date.now() };
  try {
    const account = await createAccount(by, DEMO_NAME, 'premium', false);
    const key = { name: DEMO_NAME, scopes: ['read', 'publish', 'ingest'], expiresAt: null, account };
    return (await issueKey(by, key)).key;
  } catch (error) {
    if (error instanceof NameTakenError) return null;
    throw error;
  }
}

/**
 * The token of the setup link, or `null` if there is an owner. While the service has no owner, each start creates a new
 * link and invalidates the earlier ones, so only people who can read the service's output can become the owner.
 */
export async function createSetupToken(store: AccessStore, now: number): Promise<string | null> {
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
