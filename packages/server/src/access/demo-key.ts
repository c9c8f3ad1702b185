// On the first start of an embedded installation there is a key to try things with. It is shown once.
import { NameTakenError } from '../store/access-store.ts';
import type { AccessStore } from '../store/store.ts';
import { createAccount, issueKey } from './issue-key.ts';

const DEMO = 'demo';

/** The key, or null where it was made before: the name of its account is never given twice. */
export async function makeDemoKey(store: AccessStore): Promise<string | null> {
  const by = { store, actor: 'first start', now: Date.now() };
  try {
    const account = await createAccount(by, DEMO, 'premium', false);
    const issued = await issueKey(by, { name: DEMO, scopes: ['read', 'publish', 'ingest'], expiresAt: null, account });
    return issued.key;
  } catch (error) {
    if (error instanceof NameTakenError) return null;
    throw error;
  }
}
