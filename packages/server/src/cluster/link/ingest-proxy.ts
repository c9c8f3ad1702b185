// Forwards requests that need the pipeline from a gateway node to the active ingest node. Requests that are safe to repeat
// are retried during a failover, so that a client notices a pause at most. A publication without an Idempotency-Key gets
// one here, so that a retry does not publish twice.
import { randomUUID } from 'node:crypto';
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERRORS,
  type ErrorCode,
  type IngestAnswer,
  type Problem,
} from '@tickwire/contract';
import type { Caller } from '../../access/caller.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { MAX_BODY_BYTES, readRequestBody } from '../../http/body.ts';
import type { ApiResponse, EndpointHandler, HandlerCall } from '../../http/handler.ts';
import { BodyStream } from '../../http/streamed-response.ts';
import type { Chunks } from '../../ops/gzip-stream.ts';
import type { IngestLink } from './ingest-link.ts';
import { callerHeader, LINK_REFUSED } from './internal-guard.ts';
import { FORWARDED_HEADERS, signRequest } from './link-signature.ts';

/** A failover takes 5 s at most. */
const RETRY_FOR_MS = 7_000;
const RESPONSE_TIMEOUT_MS = 10_000;
const RETRY_MS = 100;
/** Headers of a streamed response that are passed on. */
const PASSED_ON = ['Content-Type', 'Evidence-Source', 'Evidence-SHA256'];

export interface IngestProxyOptions {
  /** The link to the active ingest node; `null` while there is none. */
  readonly active: () => IngestLink | null;
  readonly now: () => number;
  /** Called with the reason if the ingest node does not accept the requests of this gateway. */
  readonly onRefused?: (reason: string) => void;
  /** How long to retry. Default: 7 s. */
  readonly retryForMs?: number;
}

interface ForwardedRequest {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** `null`: a request without a key. */
  readonly caller: Caller | null;
  /** Whether sending it twice has the same effect as once. */
  readonly repeatable: boolean;
  /** The body of the response is passed on as it arrives, in gzip. */
  readonly streamed: boolean;
}

export class IngestProxy {
  /** Forwarded requests and retries, for the metrics. */
  forwarded = 0;
  retries = 0;
  readonly #options: IngestProxyOptions;

  constructor(options: IngestProxyOptions) {
    this.#options = options;
  }

  /** The ingest node decides whether it accepts lines. */
  open(): void {}

  /** Lines of a WebSocket connection. Each frame becomes an idempotent request. */
  async push(caller: Caller, lines: readonly string[]): Promise<IngestAnswer> {
    const response = await this.#forward({
      method: 'POST',
      path: ENDPOINTS.ingestTicks.path,
      headers: { 'idempotency-key': randomUUID() },
      body: new TextEncoder().encode(lines.join('\n')),
      caller,
      repeatable: true,
      streamed: false,
    });
    return (await response.json()) as IngestAnswer;
  }

  /** The handler of an endpoint that runs on the ingest node. */
  handler(name: EndpointName): EndpointHandler {
    const { method, lineResponse = false, idempotent = false }: Endpoint = ENDPOINTS[name];
    return async (call) => {
      const body = method === 'GET' ? null : await readRequestBody(call.request, MAX_BODY_BYTES);
      const headers = forwardedHeaders(call.request);
      if (idempotent) headers['idempotency-key'] ??= randomUUID();
      const repeatable = idempotent || method === 'GET';
      const request = { method, path: pathOf(name, call), headers, body, caller: call.caller, repeatable };
      const response = await this.#forward({ ...request, streamed: lineResponse });
      return lineResponse ? streamOf(response) : { body: await response.text(), status: response.status };
    };
  }

  /** `null` if there was no response. Stops waiting for a stalled ingest node once another one is active. */
  async #responseOf(link: IngestLink, request: ForwardedRequest): Promise<Response | null> {
    const { active, now } = this.#options;
    const superseded = new AbortController();
    const watch = setInterval(() => {
      const current = active();
      if (request.repeatable && current !== null && current.secret !== link.secret) superseded.abort();
    }, RETRY_MS);
    try {
      return await send(link, request, now(), superseded.signal);
    } catch {
      return null;
    } finally {
      clearInterval(watch);
    }
  }

  async #forward(request: ForwardedRequest): Promise<Response> {
    this.forwarded++;
    const { active, onRefused, retryForMs = RETRY_FOR_MS } = this.#options;
    const until = performance.now() + retryForMs;
    for (;;) {
      const link = active();
      let response = link === null ? null : await this.#responseOf(link, request);
      if (response?.ok) return response;
      const refusal = response ? await refusalOf(response) : null;
      if (refusal !== null) {
        // The ingest node may have been restarted with another secret a moment ago.
        onRefused?.(refusal);
        response = Response.json({ code: 'no_active_ingest' }, { status: 503 });
      }
      if (response && response.status !== 503) throw await problemOf(response);
      // A 503 had no effect. Without a response, the request may have been carried out.
      const mayRetry = request.repeatable || response !== null || link === null;
      if (!mayRetry || performance.now() >= until)
        throw response && refusal === null ? await problemOf(response) : noActiveIngest();
      // Other 503s, such as a missing quote or a closed market, are results and not a failover.
      if (response) {
        const problem = await problemOf(response);
        if (!FAILOVER_CODES.has(problem.code)) throw problem;
      }
      this.retries++;
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Errors of an ingest node that is stopping or not active yet. */
const FAILOVER_CODES: ReadonlySet<ErrorCode> = new Set(['shutting_down', 'no_active_ingest']);

const noActiveIngest = (): ServiceError =>
  new ServiceError('no_active_ingest', 'No ingest node is active. Another one takes over within seconds.', {
    retryAfterSeconds: 5,
  });

/** The token of a webhook is a key, so it is not forwarded. */
function pathOf(name: EndpointName, { request }: HandlerCall): string {
  const { path } = ENDPOINTS[name];
  if (path.includes('{token}')) return path.replace('{token}', 'passed-on');
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

function forwardedHeaders({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

async function send(
  { url: base, secret, certificate }: IngestLink,
  { method, path, headers, body, caller, streamed }: ForwardedRequest,
  now: number,
  superseded: AbortSignal,
): Promise<Response> {
  const url = new URL(path, base);
  const forwarded = { ...headers, ...(caller && callerHeader(caller)) };
  const signature = signRequest(secret, { method, path: url.pathname + url.search, headers: forwarded, body }, now);
  // The limit is for the whole response, except that a stream may take as long as its client reads.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), RESPONSE_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method,
      headers: { ...forwarded, ...signature, ...(streamed && { 'Accept-Encoding': 'gzip' }) },
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      redirect: 'error',
      ...(streamed && { decompress: false }),
      // Neither a proxy for the internet nor a relaxed TLS setting of the environment applies to the link.
      proxy: false,
      tls: { ca: certificate, rejectUnauthorized: true },
      signal: AbortSignal.any([superseded, timeout.signal]),
    });
    return streamed && response.ok ? response : await complete(response);
  } finally {
    clearTimeout(timer);
  }
}

/** The response with its body in memory. */
async function complete(response: Response): Promise<Response> {
  const { status, headers } = response;
  return new Response(await response.text(), { status, headers });
}

/** A stream as the ingest node sends it, in gzip. */
function streamOf({ headers, body }: Response): ApiResponse {
  const chunks = (): Chunks => body![Symbol.asyncIterator]() as Chunks;
  return {
    body: new BodyStream(chunks, () => void body?.cancel().catch(() => {})),
    tag: headers.get('etag')?.match(/^"(.+?)(?:-gzip)?"$/)?.[1],
    headers: Object.fromEntries(
      PASSED_ON.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  };
}

/** Why the ingest node did not accept the signature; `null` if it did. */
async function refusalOf(response: Response): Promise<string | null> {
  if (response.status !== 403) return null;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: string; detail?: string } | null;
  return body?.code === LINK_REFUSED ? (body.detail ?? '') : null;
}

/** The error response of the ingest node as an error for the client. */
async function problemOf(response: Response): Promise<ServiceError> {
  const problem = (await response
    .clone()
    .json()
    .catch(() => null)) as Partial<Problem> | null;
  const code = problem?.code;
  if (code === undefined || !(code in ERRORS)) return noActiveIngest();
  const retryAfter = response.headers.get('retry-after');
  return new ServiceError(code as ErrorCode, problem?.detail ?? '', {
    ...(problem?.errors && { errors: problem.errors }),
    ...(retryAfter !== null && { retryAfterSeconds: Number(retryAfter) }),
  });
}
