// What a first start creates: a demo key for an embedded installation, and the link that creates the owner account.
import { DAY_MS } from '@tickwire/engine';
import { NameTakenError } from '../store/access-store.ts';
import type { AccessStore } from '../store/store.ts';
import { createAccount, issueKey } from './issue-key.ts';
import { randomId, randomSecret } from './key-format.ts';
import { hashToken } from './sessions.ts';

const DEMO_NAME = 'demo';
const OWNER_TIER = 'premium';
const DEMO_KEY_MS = 7 * DAY_MS;

/**
 * The demo key, or `null` if an earlier start created it: the name of its account is never reused. It cannot push ticks and
 * expires, because it is printed where others may read it.
 */
export async function createDemoKey(store: AccessStore, now = Date.now()): Promise<string | null> {
  const by = { store, actor: 'first start', now: Math.floor(now) };
  try {
    const account = await createAccount(by, DEMO_NAME, 'premium', false);
    const expiresAt = by.now + DEMO_KEY_MS;
    const key = { name: DEMO_NAME, scopes: ['read', 'alerts', 'publish'], expiresAt, account, demo: true };
    return (await issueKey(by, key)).key;
  } catch (error) {
    if (error instanceof NameTakenError) return null;
    throw error;
  }
}

/** Gives the demo key to the owner, if there is one, who then sees it in the list of keys and can revoke it. */
export async function giveDemoKeyToOwner(store: AccessStore, now: number): Promise<void> {
  const owner = (await store.accounts()).find((account) => account.owner);
  if (!owner) return;
  for (const id of await store.moveDemoKeys(owner.id))
    await store.audit({
      at: Math.floor(now),
      actor: 'first start',
      action: 'key moved',
      subject: `${id} to ${owner.name}`,
      account: owner.publicId,
    });
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
