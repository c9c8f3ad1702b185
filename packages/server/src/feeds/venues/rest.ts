// One GET of a venue's REST interface: bounded in time and size, repeated where repeating helps, patient where the venue
// asks for patience.
import { parse } from './raw-values.ts';
import type { VenueTiming } from './venue.ts';

export const MAX_ATTEMPTS = 5;
/** A longer Retry-After is a ban (Binance answers 418 and up to three days): nobody waits for that here. */
export const MAX_PATIENCE_MS = 60_000;
const MAX_BODY_BYTES = 16 * 2 ** 20;

export interface RestAnswer {
  readonly status: number;
  /** Parsed JSON; undefined where a refusal has none. */
  readonly body: unknown;
}

/** The venue could not be asked. Asking again later may help. */
export class VenueRestError extends Error {
  override name = 'VenueRestError';
}

/**
 * Resolves with the first answer below 500 that is whole, other than 418 and 429, and not `busy`: some venues say so in
 * a body with status 200.
 */
export async function getJson(
  url: string,
  timing: VenueTiming,
  busy: (body: unknown) => boolean = () => false,
): Promise<RestAnswer> {
  let reason = '';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let waitMs = timing.restRetryMs * 2 ** attempt;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timing.restTimeoutMs), redirect: 'error' });
      const { status } = response;
      if (status === 418 || status === 429 || status >= 500) {
        reason = `status ${status}`;
        waitMs = Math.max(waitMs, retryAfterMs(response.headers.get('retry-after')));
        await response.body?.cancel();
      } else {
        const text = await textOf(response);
        const body = parse(text);
        if (body !== undefined && !busy(body)) return { status, body };
        if (body === undefined && status >= 400) return { status, body };
        reason = body === undefined ? 'an answer that is not whole' : 'the venue is busy';
      }
    } catch (error) {
      if (error instanceof VenueRestError) throw error;
      reason = error instanceof Error ? error.message : String(error);
    }
    if (waitMs > MAX_PATIENCE_MS) throw new VenueRestError(`${url}: ${reason}, asks to wait ${waitMs} ms`);
    if (attempt < MAX_ATTEMPTS - 1) await Bun.sleep(waitMs);
  }
  throw new VenueRestError(`${url}: ${reason}, ${MAX_ATTEMPTS} times`);
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | null, now = Date.now()): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new VenueRestError(`${response.url}: more than ${MAX_BODY_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
