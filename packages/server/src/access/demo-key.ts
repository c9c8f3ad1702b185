// On the first start of an embedded installation there is a key to try things with. It is shown once.
import type { AccessStore } from '../store/store.ts';
import { createAccount, issueKey } from './issue-key.ts';

const DEMO = 'demo';

/** The key, or null where the installation has keys already. */
export async function makeDemoKey(store: AccessStore): Promise<string | null> {
  if ((await store.keys()).length > 0) return null;
  const by = { store, actor: 'first start', now: Date.now() };
  const account = await createAccount(by, DEMO, 'premium', true);
  const issued = await issueKey(by, { name: DEMO, scopes: ['read', 'publish', 'ingest'], expiresAt: null, account });
  return issued.key;
}
