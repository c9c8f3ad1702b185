// Waits until all running services have loaded the changes of accounts, keys and sessions so far, so that a new key or session
// can be used at once, at any gateway.
import type { AccessStore } from '../store/store.ts';

const POLL_MS = 50;

/** Returns at once if no service runs; `false` if a service has not loaded the changes after `maxWaitMs`. */
export async function waitForKeySync(
  store: Pick<AccessStore, 'changePosition' | 'servicesBehind'>,
  maxWaitMs: number,
): Promise<boolean> {
  const position = await store.changePosition();
  const deadline = performance.now() + maxWaitMs;
  while ((await store.servicesBehind(position)) > 0) {
    if (performance.now() >= deadline) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}
