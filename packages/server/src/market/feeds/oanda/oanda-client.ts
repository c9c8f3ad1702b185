// HTTP requests to OANDA, and its error responses in plain words. The token is sent in one header only, is never forwarded
// by a redirect, and appears in no message.
import { readBoundedBody } from '../../../ops/bounded-body.ts';
import type { Fetch } from '../../../ops/bounded-fetch.ts';
import { errorText, GetJsonError, getJson, type JsonResponse } from '../get-json.ts';
import { asRecord, asText, parseJson } from '../raw-values.ts';

/** Streams and single requests use different hosts. A token is valid in one of the two environments only. */
const ENVIRONMENTS = {
  practice: { rest: 'https://api-fxpractice.oanda.com', stream: 'https://stream-fxpractice.oanda.com' },
  live: { rest: 'https://api-fxtrade.oanda.com', stream: 'https://stream-fxtrade.oanda.com' },
} as const;

export const isEnvironment = (host: string): host is keyof typeof ENVIRONMENTS => Object.hasOwn(ENVIRONMENTS, host);

/** A page of 5,000 candles has about 700 kB. */
const MAX_BODY_BYTES = 8 * 2 ** 20;
const MAX_ATTEMPTS = 4;
const DETAIL_LENGTH = 120;

export interface OandaAccess {
  readonly account: string;
  readonly token: string;
  /** `practice`, `live`, or a base URL that serves both kinds of request. */
  readonly host: string;
  readonly fetch?: Fetch;
}

/** Milliseconds. */
export interface OandaTiming {
  /** Limit from a request to the headers of its response, or, for a single request, to its end. */
  readonly responseTimeoutMs: number;
  /** A stream without a heartbeat or a price for this long is dead, even if markets are closed. */
  readonly staleMs: number;
  /** Wait before the second attempt at a single request; doubles with each further one. */
  readonly retryMs: number;
}

export class OandaError extends Error {
  override name = 'OandaError';

  constructor(reason: string) {
    super(`oanda: ${reason}`);
  }
}

function requestOf({ token, host }: OandaAccess, kind: 'rest' | 'stream', path: string) {
  const base = isEnvironment(host) ? ENVIRONMENTS[host][kind] : host.replace(/\/+$/, '');
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Datetime-Format': 'RFC3339' };
  return { url: `${base}${path}`, headers };
}

/** The response of a stream, with its body still to be read. Throws an OandaError for every status but 200. */
export async function openOandaStream(access: OandaAccess, path: string, signal: AbortSignal): Promise<Response> {
  const { url, headers } = requestOf(access, 'stream', path);
  let response: Response;
  try {
    response = await (access.fetch ?? fetch)(url, {
      // A compressed stream would be delayed until a block is full.
      headers: { ...headers, 'Accept-Encoding': 'identity' },
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw new OandaError(`no connection: ${errorText(error)}`);
  }
  const { status } = response;
  if (status === 200) return response;
  const bytes = await readBoundedBody(response, MAX_BODY_BYTES).catch(() => new Uint8Array());
  throw errorOf({ status, body: parseJson(new TextDecoder().decode(bytes)) });
}

/** The JSON of a single request. Throws an OandaError for every status but 200. */
export async function getOandaJson(
  access: OandaAccess,
  path: string,
  { responseTimeoutMs, retryMs }: OandaTiming,
  maxAttempts = MAX_ATTEMPTS,
): Promise<unknown> {
  const { url, headers } = requestOf(access, 'rest', path);
  const options = { timeoutMs: responseTimeoutMs, retryMs, maxAttempts, maxBodyBytes: MAX_BODY_BYTES, headers };
  const response = await getJson(url, { ...options, fetch: access.fetch }).catch((error: unknown) => {
    if (!(error instanceof GetJsonError)) throw error;
    // The URL contains the account.
    if (!error.response) throw new OandaError(error.reason);
    return error.response;
  });
  if (response.status === 200) return response.body;
  throw errorOf(response);
}

function errorOf({ status, body }: JsonResponse): OandaError {
  const message = asText(asRecord(body)?.errorMessage);
  const shown = message ? ` ${message.slice(0, DETAIL_LENGTH).replace(/[^\x20-\x7e]/g, '?')}` : '';
  const detail = `(${status}${shown})`;
  if (status === 401 || status === 403)
    return new OandaError(`token not valid for this account and host ${detail}; is it for practice or for live?`);
  if (status === 429) return new OandaError(`too many requests or streams ${detail}`);
  if (status >= 500) return new OandaError(`service unavailable ${detail}`);
  return new OandaError(`request refused ${detail}`);
}
