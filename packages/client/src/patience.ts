// Waiting as long as the service asks for with `Retry-After`, within what the caller is ready to wait in all.
import { TickwireError } from './tickwire-error.ts';
import type { Timing } from './timing.ts';

export interface Patience {
  /** Milliseconds that the waits of one call may come to; 0 for none. */
  readonly waitMs: number;
  readonly timing: Timing;
}

/** On top of the wait that was asked for, so that callers who were refused together do not come back together. */
const SPREAD_MS = 250;

/** Only for calls that may be sent twice. */
export async function patiently<Body>(
  { waitMs, timing }: Patience,
  { signal, retry = true }: { readonly signal?: AbortSignal; readonly retry?: boolean },
  call: () => Promise<Body>,
): Promise<Body> {
  for (let left = waitMs; ; ) {
    try {
      return await call();
    } catch (error) {
      const wait = askedFor(error);
      if (!retry || wait === null || wait > left) throw error;
      left -= wait;
      await sleep(wait + timing.random() * SPREAD_MS, timing, signal);
    }
  }
}

function askedFor(error: unknown): number | null {
  if (!(error instanceof TickwireError) || (error.status !== 429 && error.status !== 503)) return null;
  // "At once" is no wait: it would make a loop without end out of a service that is confused.
  return (error.retryAfterSeconds ?? 0) > 0 ? error.retryAfterSeconds! * 1_000 : null;
}

function sleep(ms: number, timing: Timing, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timing.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = timing.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
