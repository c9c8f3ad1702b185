// Waits until the running services have loaded a change, so that a script can use a new key at once.
import type { AccessStore } from '../store/store.ts';

const POLL_MS = 50;
const MAX_WAIT_MS = 5_000;

/** Returns at once if no service runs. After 5 s it says on standard error that a service has not loaded the change. */
export async function waitForServices(store: AccessStore, change: string, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const position = await store.changePosition();
  const deadline = performance.now() + maxWaitMs;
  while ((await store.servicesBehind(position)) > 0) {
    if (performance.now() >= deadline) {
      process.stderr.write(`A running service has not loaded ${change} yet. It may reject it for a moment.\n`);
      return;
    }
    await Bun.sleep(POLL_MS);
  }
}
