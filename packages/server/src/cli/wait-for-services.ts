// Waits until the running services have loaded a change, so that a script can use a new key at once.
import { waitForKeySync } from '../access/wait-for-key-sync.ts';
import type { AccessStore } from '../store/store.ts';

const MAX_WAIT_MS = 5_000;

/** Returns at once if no service runs. After 5 s it reports on standard error that a service has not loaded the change. */
export async function waitForServices(store: AccessStore, change: string, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  if (await waitForKeySync(store, maxWaitMs)) return;
  process.stderr.write(`A running service has not loaded ${change} yet. It may reject it for a moment.\n`);
}
