// Retries a call that the service rejected with 429 or 503, after the delay in `Retry-After`. All times in milliseconds.
import { TickwireError } from '../common/tickwire-error.ts';
import type { Timing } from '../common/timing.ts';

/** How long a call may wait for retries. */
export interface RetryPolicy {
  /** Most milliseconds that one call may wait in total; 0 disables retries. */
  readonly maxWaitMs: number;
  /** Timers and random numbers. */
  readonly timing: Timing;
}

/** Random extra delay, so that callers rejected together do not retry together. */
const JITTER_MS = 250;

/** Use only for calls that are safe to send twice. */
export async function withRetry<Body>(
  { maxWaitMs, timing }: RetryPolicy,
  { signal, retry = true }: { readonly signal?: AbortSignal; readonly retry?: boolean },
  call: () => Promise<Body>,
): Promise<Body> {
  for (let remainingMs = maxWaitMs; ; ) {
    try {
      return await call();
    } catch (error) {
      const delayMs = retryAfterMs(error);
      if (!retry || delayMs === null || delayMs > remainingMs) throw error;
      remainingMs -= delayMs;
      await sleep(delayMs + timing.random() * JITTER_MS, timing, signal);
    }
  }
}

/** The requested delay; `null` if the error is not retryable. A delay of 0 counts as none: it could loop forever. */
function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof TickwireError) || (error.status !== 429 && error.status !== 503)) return null;
  const seconds = error.retryAfterSeconds ?? 0;
  return seconds > 0 ? seconds * 1_000 : null;
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
