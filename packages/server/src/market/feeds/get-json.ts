// HTTP requests for the REST interfaces of venues: bounded in time and size, retried if a retry can help.
import { MINUTE_MS } from '@tickwire/engine';
import { boundedFetch, type Fetch, type FetchError } from '../../ops/bounded-fetch.ts';
import { retryAfterMs } from '../../ops/retry-after.ts';
import { backOffMs, type Sleep } from '../../work/back-off.ts';
import { parseJson } from './raw-values.ts';
import type { ClockOffset } from './venue-delay.ts';

export const MAX_ATTEMPTS = 5;
/** A longer Retry-After is a ban (Binance sends 418 and up to three days): the request fails instead of waiting. */
export const MAX_RETRY_WAIT_MS = MINUTE_MS;
const MAX_BODY_BYTES = 16 * 2 ** 20;
/** Of a body that says that the venue is busy, in a reason. */
const BUSY_LENGTH = 120;

export interface GetJsonOptions {
  /** Limit for one attempt, from the request to the end of the response. */
  readonly timeoutMs: number;
  /** Wait before the second attempt; doubles with each further one. */
  readonly retryMs: number;
  readonly maxAttempts?: number;
  readonly maxBodyBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch | undefined;
  /** Body of a POST request. Default: a GET request. */
  readonly json?: unknown;
  /** Recognises a body that asks for a retry: some venues send it with status 200. */
  readonly isBusy?: ((body: unknown) => boolean) | undefined;
  /** Told of the `Date` header of each response, in milliseconds. */
  readonly clock?: Pick<ClockOffset, 'observe'> | undefined;
  /** Awaited before each attempt. */
  readonly take?: () => Promise<void>;
  /** Told how long the venue wants no requests (429, 418, or `isBusy`), in milliseconds; 0 if it does not say. */
  readonly onLimited?: (waitMs: number) => void;
  /** Waits between attempts. */
  readonly sleep?: Sleep | undefined;
}

export interface JsonResponse {
  readonly status: number;
  /** Parsed JSON; `undefined` if an error response has none. */
  readonly body: unknown;
}

/** The request failed. A later one may succeed. */
export class GetJsonError extends Error {
  override name = 'GetJsonError';
  readonly reason: string;
  /** Of the last response that asked for a retry; `null` if the last attempt got no usable response. */
  readonly response: JsonResponse | null;

  constructor(url: string, { reason, response }: FailedAttempt) {
    super(`${url}: ${reason}`);
    this.reason = reason;
    this.response = response ?? null;
  }
}

interface FailedAttempt {
  readonly reason: string;
  readonly response?: JsonResponse;
  readonly retryAfterMs?: number;
  readonly isBusy?: boolean;
  /** A retry cannot help. */
  readonly isFinal?: boolean;
}

/** Resolves with the first complete response below 500 that is neither 418 nor 429 nor `isBusy`. */
export async function getJson(url: string, options: GetJsonOptions): Promise<JsonResponse> {
  const { retryMs, maxAttempts = MAX_ATTEMPTS, sleep = Bun.sleep } = options;
  for (let attempt = 1; ; attempt++) {
    await options.take?.();
    const result = await tryOnce(url, options);
    if ('status' in result) return result;
    const waitMs = Math.max(backOffMs(attempt, { firstMs: retryMs }), result.retryAfterMs ?? 0);
    if (result.isBusy) options.onLimited?.(waitMs);
    if (result.isFinal) throw new GetJsonError(url, result);
    if (waitMs > MAX_RETRY_WAIT_MS)
      throw new GetJsonError(url, { ...result, reason: `${result.reason}, retry only after ${waitMs} ms` });
    if (attempt >= maxAttempts)
      throw new GetJsonError(url, { ...result, reason: `${result.reason}, ${maxAttempts} attempts` });
    await sleep(waitMs);
  }
}

async function tryOnce(url: string, options: GetJsonOptions): Promise<JsonResponse | FailedAttempt> {
  const { timeoutMs, json, isBusy, maxBodyBytes: maxBytes = MAX_BODY_BYTES } = options;
  const headers = { ...options.headers, ...(json !== undefined && { 'content-type': 'application/json' }) };
  const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  let status = 0;
  const sentAt = Date.now();
  try {
    using response = await boundedFetch(url, { ...post, headers, totalMs: timeoutMs, maxBytes, fetch: options.fetch });
    status = response.status;
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) options.clock?.observe(date, sentAt, Date.now());
    // A redirect is not followed: it could carry a token to another origin.
    if (status === 418 || status === 429 || status >= 500 || (status >= 300 && status < 400)) {
      const body = parseJson(await response.text().catch(() => ''));
      const waitMs = retryAfterMs(response.headers.get('retry-after')) ?? 0;
      if (status === 418 || status === 429) options.onLimited?.(waitMs);
      return { reason: `status ${status}`, response: { status, body }, retryAfterMs: waitMs };
    }
    const body = parseJson(await response.text());
    if (body === undefined && status < 400) return { reason: 'response is not complete JSON' };
    if (!isBusy?.(body)) return { status, body };
    return { reason: `the venue is busy: ${JSON.stringify(body).slice(0, BUSY_LENGTH)}`, isBusy: true };
  } catch (error) {
    const { failure } = error as FetchError;
    if (failure === 'too_large') return { reason: `response of more than ${maxBytes} bytes`, isFinal: true };
    return { reason: `${status === 0 ? 'no connection' : 'response cut short'}: ${errorText(error)}` };
  }
}

/** The first sentence of a network error; the rest is advice to programmers. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('. ')[0]!;
