// Asks the service to write to the signal log, and waits for its answer. If none runs, the request waits in the store.
import { StoreError } from '../errors/store-error.ts';
import type { LogRequest, LogRequestAnswer } from '../signals/log-requests.ts';
import type { AccessStore } from '../store/store.ts';

const POLL_MS = 100;
const MAX_WAIT_MS = 10_000;

/** Returns false if no service has answered within 10 s. Throws if the service refused. */
export async function requestOfLog(
  store: AccessStore,
  realm: string,
  request: LogRequest,
  maxWaitMs = MAX_WAIT_MS,
): Promise<boolean> {
  const id = await store.addLogRequest(realm, JSON.stringify(request), Date.now());
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    const answer = await store.logRequestAnswer(id);
    if (answer !== null) {
      const result = JSON.parse(answer) as LogRequestAnswer;
      if ('error' in result) throw new StoreError(result.error);
      return true;
    }
    await Bun.sleep(POLL_MS);
  }
  return false;
}

export const NOT_ANSWERED =
  'No running service has carried it out yet. It is done as soon as a service runs, or when it starts next.';
