// Requests to OANDA: who asks, where, and what a refusal means in words. The token travels in one header, is never
// sent on by a redirect, and stands in no message.
import { asRecord, asText, parse } from '../venues/raw-values.ts';
import { retryAfterMs } from '../venues/rest.ts';

/** Streams and single requests live on different hosts, and a token of one world is refused in the other. */
const HOSTS = {
  practice: { rest: 'https://api-fxpractice.oanda.com', stream: 'https://stream-fxpractice.oanda.com' },
  live: { rest: 'https://api-fxtrade.oanda.com', stream: 'https://stream-fxtrade.oanda.com' },
} as const;

export const isWorld = (host: string): host is keyof typeof HOSTS => Object.hasOwn(HOSTS, host);

/** A page of 5,000 candles has some 700 kB. */
const MAX_BODY_BYTES = 8 * 2 ** 20;
const MAX_ATTEMPTS = 4;
const MAX_PATIENCE_MS = 60_000;
const DETAIL_LENGTH = 120;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface OandaAccess {
  readonly account: string;
  readonly token: string;
  /** `practice`, `live`, or a base URL that serves both kinds of request. */
  readonly host: string;
  readonly fetch?: Fetch;
}

/** Milliseconds. Tests hurry; nobody else has a reason to. */
export interface OandaTiming {
  /** From a request to the head of its answer, or, for a single request, to its end. */
  readonly answerMs: number;
  /** Without a heartbeat or a price a stream is dead, whatever the hour. */
  readonly silenceMs: number;
  /** Wait before the second attempt at a single request; doubles. */
  readonly retryMs: number;
}

export class OandaError extends Error {
  override name = 'OandaError';
  /** Null: asking again changes nothing. */
  readonly againAfterMs: number | null;

  constructor(reason: string, againAfterMs: number | null) {
    super(`oanda: ${reason}`);
    this.againAfterMs = againAfterMs;
  }
}

/** The answer with its body still to come; throws an OandaError for everything but a 200. */
export async function ask(access: OandaAccess, kind: 'rest' | 'stream', path: string, signal: AbortSignal) {
  const { token, host } = access;
  const base = isWorld(host) ? HOSTS[host][kind] : host.replace(/\/+$/, '');
  let response: Response;
  try {
    response = await (access.fetch ?? fetch)(`${base}${path}`, {
      headers: {
        Authorization: `Bearer ${token}`,
        'Accept-Datetime-Format': 'RFC3339',
        // A compressed stream is held back until a block is full.
        ...(kind === 'stream' ? { 'Accept-Encoding': 'identity' } : {}),
      },
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw new OandaError(`no connection: ${said(error)}`, 0);
  }
  if (response.status === 200) return response;
  const detail = asText(asRecord(parse(await textOf(response).catch(() => '')))?.errorMessage);
  throw refusal(response.status, detail, retryAfterMs(response.headers.get('retry-after')));
}

/** An error of the network in its first sentence; the rest is advice to programmers. */
export const said = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('. ')[0]!;

function refusal(status: number, detail: string | null, againAfterMs: number): OandaError {
  const told = `(${status}${detail ? ` ${detail.slice(0, DETAIL_LENGTH).replace(/[^\x20-\x7e]/g, '?')}` : ''})`;
  if (status === 401 || status === 403) {
    return new OandaError(`the token is refused for this account and host ${told}: practice or live?`, null);
  }
  if (status === 429) return new OandaError(`too many requests or streams ${told}`, againAfterMs);
  if (status >= 500) return new OandaError(`out of order ${told}`, againAfterMs);
  return new OandaError(`the request is refused ${told}`, null);
}

/** One single request, repeated where repeating helps. */
export async function getJson(
  access: OandaAccess,
  path: string,
  timing: OandaTiming,
  attempts = MAX_ATTEMPTS,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await ask(access, 'rest', path, AbortSignal.timeout(timing.answerMs));
      const body = parse(await textOf(response));
      if (body === undefined) throw new OandaError('an answer that is no JSON', 0);
      return body;
    } catch (error) {
      const known = error instanceof OandaError ? error : new OandaError(`an answer cut short: ${said(error)}`, 0);
      const waitMs = Math.max(known.againAfterMs ?? 0, timing.retryMs * 2 ** (attempt - 1));
      if (known.againAfterMs === null || attempt >= attempts || waitMs > MAX_PATIENCE_MS) throw known;
      await Bun.sleep(waitMs);
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new OandaError(`an answer of more than ${MAX_BODY_BYTES} bytes`, null);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
