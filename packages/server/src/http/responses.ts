// Builds responses: results of endpoints with the headers of their caller, pages, preflights, and failures as problem responses
// from the error catalogue with the request's id.
import { randomBytes } from 'node:crypto';
import { API_VERSION } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { Log } from '../ops/log.ts';
import { CountsByValue } from '../ops/metrics.ts';
import { type Bytes, selectRepresentation, type TaggedBody } from './conditional-response.ts';
import { type AllowOrigin, PREFLIGHT_HEADERS } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { ApiResponse, HandlerResult } from './handler.ts';
import type { Page } from './page.ts';
import { problemBody, problemHeaders, statusOf } from './problem.ts';
import { NotReadyError } from './readiness.ts';
import { isUdfPath, loggedPath } from './request-path.ts';
import { ResponseHeaders, securityHeaders, warningHeader } from './response-headers.ts';
import { BodyStream, selectStream } from './streamed-response.ts';

export interface ResponsesOptions {
  readonly allowOrigin: AllowOrigin;
  readonly simulated: boolean;
  /** Whether the service terminates TLS itself. */
  readonly tls: boolean;
  readonly log: Log;
}

type ExtraHeaders = Readonly<Record<string, string>> | undefined;

export class Responses {
  /** Responses by status. */
  readonly statuses = new CountsByValue(600);
  readonly #options: ResponsesOptions;
  readonly #prepared: ResponseHeaders;
  readonly #security: Readonly<Record<string, string>>;
  readonly #idPrefix = randomBytes(5).toString('hex');
  #requests = 0;

  constructor(options: ResponsesOptions) {
    this.#options = options;
    this.#prepared = new ResponseHeaders(options.simulated, options.tls);
    this.#security = securityHeaders(options.tls);
  }

  /** The id of the next request. */
  nextId(): string {
    return `${this.#idPrefix}-${(++this.#requests).toString(36)}`;
  }

  /** The result of an endpoint. `now` is the time that the rate limit headers refer to. */
  ok(result: HandlerResult, status: number, exchange: Exchange, now: number): Response {
    const { log } = this.#options;
    const warning = exchange.unknown === null ? undefined : warningHeader(exchange.unknown);
    const response =
      typeof result === 'string'
        ? this.#plain(result, status, exchange, this.#prepared.of(exchange.id, exchange.caller, now, null), warning)
        : this.#of(result, status, exchange, now, warning);
    if (log.writes('debug')) {
      const path = loggedPath(exchange.request);
      log.debug('request served', { request_id: exchange.id, path, status: response.status });
    }
    return response;
  }

  #of(result: ApiResponse, usual: number, exchange: Exchange, now: number, warning: ExtraHeaders): Response {
    const { body, tag, status = usual, position = null, headers: own } = result;
    if (tag !== undefined && !(body instanceof BodyStream))
      return this.#tagged(result as ApiResponse & TaggedBody, exchange, now, warning);
    const headers = this.#prepared.of(exchange.id, exchange.caller, now, position);
    if (body instanceof BodyStream) {
      const selected = selectStream(body, tag, exchange.request);
      return this.#plain(selected.body, selected.status, exchange, headers, {
        ...warning,
        ...own,
        ...selected.headers,
      });
    }
    return this.#plain(body, status, exchange, headers, own ? { ...warning, ...own } : warning);
  }

  #plain(
    body: string | Bytes | ReadableStream<Uint8Array> | null,
    status: number,
    { request }: Exchange,
    headers: Headers,
    extra: ExtraHeaders,
  ): Response {
    const origin = request.headers.get('origin');
    if (origin === null) return this.#send(body, status, headers, extra);
    const all = { ...extra };
    this.#options.allowOrigin(origin, all);
    return this.#send(body, status, headers, all);
  }

  /** The client may cache a response with a tag, but must revalidate it on each use. */
  #tagged(
    result: ApiResponse & TaggedBody,
    { id, request, caller }: Exchange,
    now: number,
    warning: ExtraHeaders,
  ): Response {
    // After a change of markets, a browser must not revalidate what it got from the others.
    const tag = this.#options.simulated ? `${result.tag}-simulated` : result.tag;
    const { body, headers: selected } = selectRepresentation({ ...result, tag }, request.headers);
    const all: Record<string, string> = { ...warning, ...result.headers, ...selected };
    this.#options.allowOrigin(request.headers.get('origin'), all);
    const { ETag: etag = '', Vary: vary = '', ...extra } = all;
    const headers = this.#prepared.revalidated(id, caller, now, result.position ?? null, { etag, vary });
    return this.#send(body, body === null ? 304 : 200, headers, extra);
  }

  page({ content, headers: own, status = 200 }: Page, id: string, request: Request): Response {
    const { body, headers: selected } = selectRepresentation(content, request.headers);
    const headers = this.#headers(id, request, { ...own, ...selected });
    return this.#send(body, status === 200 && body === null ? 304 : status, headers);
  }

  preflight(id: string, request: Request, allowed: string): Response {
    return this.#send(null, 204, { ...this.#headers(id, request), ...PREFLIGHT_HEADERS, Allow: allowed });
  }

  failed(error: unknown, id: string, request: Request, headers: Record<string, string>): Response {
    if (error instanceof NotReadyError) {
      const all = { ...this.#headers(id, request), 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      return this.#send(error.message, 503, all);
    }
    if (error instanceof ServiceError) return this.#problem(error, id, request, headers);
    this.#options.log.error('request failed', { request_id: id, path: loggedPath(request), error });
    const detail = `An internal error occurred. The log of the service has details under request id ${id}.`;
    return this.#problem(new ServiceError('internal', detail), id, request, headers);
  }

  #problem(error: ServiceError, id: string, request: Request, extra: Record<string, string>): Response {
    const headers = {
      ...this.#headers(id, request, extra),
      ...problemHeaders(error),
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
    };
    if (this.#options.log.writes('debug')) {
      this.#options.log.debug('request rejected', {
        request_id: id,
        path: loggedPath(request),
        status: statusOf(error.code),
        code: error.code,
      });
    }
    return this.#send(problemBody(error, id, isUdfPath(request.url)), statusOf(error.code), headers);
  }

  #headers(id: string, request: Request, headers: Record<string, string> = {}): Record<string, string> {
    Object.assign(headers, this.#security);
    headers['X-Request-Id'] = id;
    headers['API-Version'] = API_VERSION;
    if (this.#options.simulated) headers['Data-Source'] = 'simulated';
    this.#options.allowOrigin(request.headers.get('origin'), headers);
    return headers;
  }

  /** `extra`: headers of this response alone. A Response copies `headers`, so it is cheapest to set them on the copy. */
  #send(
    body: string | Bytes | ReadableStream<Uint8Array> | null,
    status: number,
    headers: Headers | Record<string, string>,
    extra?: ExtraHeaders,
  ): Response {
    this.statuses.add(status);
    const response = new Response(body, { status, headers });
    if (extra) for (const name in extra) response.headers.set(name, extra[name]!);
    if (status === 304) response.headers.delete('Content-Type');
    return response;
  }
}
