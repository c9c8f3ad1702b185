// REST: turns the endpoint table into routes. Every request passes the same checks, and every failure becomes a problem
// response from the error catalogue with the request's id.
import { randomBytes } from 'node:crypto';
import { API_VERSION, ENDPOINTS, type Endpoint, type EndpointName } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Log } from '../ops/log.ts';
import { CountsByValue, Histogram } from '../ops/metrics.ts';
import { type Bytes, selectRepresentation, type TaggedResponse } from './conditional-response.ts';
import { type AllowOrigin, PREFLIGHT_HEADERS } from './cors.ts';
import type { Guard, PeerLookup } from './guard.ts';
import type {
  EndpointHandler,
  Handler,
  HandlerCall,
  HandlerResult,
  PreparedResponse,
  RoutedRequest,
} from './handler.ts';
import { unknownFields } from './json-body.ts';
import { NOT_FOUND_PAGE, prefersHtml } from './not-found-page.ts';
import type { Page } from './page-bundle.ts';
import { routeOf } from './path-table.ts';
import { notAllowed, problemBody, problemHeaders, READ, READ_AND_SUBMIT, READ_METHODS, statusOf } from './problem.ts';
import { queryReader, type ResolveSymbol } from './query.ts';
import { NotReadyError } from './readiness.ts';
import { hasBadEscape, isTooLong, isUdfPath, loggedPath, malformedPath, pathStart, tooLong } from './request-path.ts';
import { ResponseHeaders, rateLimitHeaders, securityHeaders, warningHeader } from './response-headers.ts';
import { createHandlers, type HandlerParts } from './routes.ts';
import { type StreamedResponse, selectStream } from './streamed-response.ts';

export interface ApiOptions extends HandlerParts {
  readonly guard: Guard;
  readonly allowOrigin: AllowOrigin;
  readonly resolveSymbol: ResolveSymbol;
  readonly simulated: boolean;
  /** Whether the service terminates TLS itself. */
  readonly tls: boolean;
  readonly now: () => number;
  readonly log: Log;
}

export class Api {
  readonly latency = new Histogram();
  /** Responses by status. */
  readonly statuses = new CountsByValue(600);
  readonly #options: ApiOptions;
  readonly #responseHeaders: ResponseHeaders;
  readonly #security: Readonly<Record<string, string>>;
  readonly #idPrefix = randomBytes(5).toString('hex');
  readonly #missingPage: Handler;
  #requests = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#responseHeaders = new ResponseHeaders(options.simulated, options.tls);
    this.#security = securityHeaders(options.tls);
    this.#missingPage = this.page(NOT_FOUND_PAGE);
  }

  /** Handlers by path, in the notation of the runtime's router. */
  routes(served = Object.keys(ENDPOINTS) as readonly EndpointName[]): Record<string, Handler> {
    const handlers = createHandlers(this.#options);
    const byPath = Map.groupBy(served, (name) => ENDPOINTS[name].path);
    return Object.fromEntries(
      [...byPath].map(([path, names]) => [
        routeOf(path),
        this.#path(names.map((name) => [ENDPOINTS[name], handlers[name]])),
      ]),
    );
  }

  /** For requests that match no route. */
  readonly notFound: Handler = (request, peers) => {
    if (isTooLong(request.url)) return this.#uncounted(tooLong(), this.#nextId(), request, peers);
    if (prefersHtml(request)) return this.#missingPage(request, peers);
    const detail = 'There is no endpoint or page at this path. See /docs for the API reference.';
    return this.#uncounted(new ServiceError('not_found', detail), this.#nextId(), request, peers);
  };

  /** A page or asset: needs no key, supports GET and HEAD. */
  page(page: Page): Handler {
    return this.#page((id, request) => this.#shown(page, id, request));
  }

  /** The same for a page that depends on its path parameters. */
  renderedPage(
    render: (params: Readonly<Record<string, string>>, now: number, path: string) => Promise<Page>,
  ): Handler {
    const pathOf = ({ url }: Request): string => URL.parse(url)?.pathname ?? '';
    return this.#rendered((request) => render(request.params ?? EMPTY, this.#options.now(), pathOf(request)), READ);
  }

  /** The same for a page with a form that is submitted to its own path. The content of the form is not read. */
  formPage(render: (params: Readonly<Record<string, string>>, submitted: boolean) => Promise<Page>): Handler {
    return this.#rendered((request) => render(request.params ?? EMPTY, request.method === 'POST'), READ_AND_SUBMIT);
  }

  #rendered(render: (request: RoutedRequest) => Promise<Page>, allowed: string): Handler {
    return this.#page(async (id, request) => {
      try {
        const path = pathStart(request.url);
        if (isTooLong(request.url, path)) throw tooLong();
        if (hasBadEscape(request.url, path, request.url.indexOf('?', path))) throw malformedPath();
        return this.#shown(await render(request), id, request);
      } catch (error) {
        return this.#failed(error, id, request, {});
      }
    }, allowed);
  }

  #page(show: (id: string, request: RoutedRequest) => Response | Promise<Response>, allowed = READ): Handler {
    const { guard, now } = this.#options;
    return (request, peers) => {
      const id = this.#nextId();
      try {
        guard.countAddress(request, peers, now());
        if (request.method === 'OPTIONS') return this.#preflight(id, request, allowed);
        if (!allowed.split(', ').includes(request.method)) throw notAllowed(request, allowed);
        return show(id, request);
      } catch (error) {
        return this.#failed(error, id, request, {});
      }
    };
  }

  #shown({ content, headers: own, status = 200 }: Page, id: string, request: Request): Response {
    const { body, headers: selected } = selectRepresentation(content, request.headers);
    const headers = this.#headers(id, request, { ...own, ...selected });
    return status === 200 ? this.#conditional(body, headers) : this.#send(body, status, headers);
  }

  /** The error response to a request that is handled elsewhere, such as a WebSocket upgrade. */
  refuse(error: unknown, request: Request, peers: PeerLookup | null): Response {
    const id = this.#nextId();
    return peers ? this.#uncounted(error, id, request, peers) : this.#failed(error, id, request, {});
  }

  /** The handler of a path: dispatches by method, and rejects methods that the path does not support. */
  #path(endpoints: readonly (readonly [Endpoint, EndpointHandler])[]): Handler {
    const { guard, now } = this.#options;
    const allowed = `${endpoints.map(([{ method }]) => (method === 'GET' ? READ_METHODS : method)).join(', ')}, OPTIONS`;
    const handlers = new Map<string, Handler>();
    for (const [endpoint, handle] of endpoints) {
      const handler = this.#handler(endpoint, handle);
      handlers.set(endpoint.method, handler);
      if (endpoint.method === 'GET') handlers.set('HEAD', handler);
    }
    return (request, peers, given) => {
      const handler = handlers.get(request.method);
      if (handler) return handler(request, peers, given);
      const id = this.#nextId();
      try {
        guard.countAddress(request, peers, now());
        if (request.method === 'OPTIONS') return this.#preflight(id, request, allowed);
        throw notAllowed(request, allowed);
      } catch (error) {
        return this.#failed(error, id, request, {});
      }
    };
  }

  #handler(endpoint: Endpoint, handle: EndpointHandler): Handler {
    const { guard, now: clock, resolveSymbol } = this.#options;
    const readQuery = queryReader(endpoint.query, resolveSymbol);
    const { auth, method, status = 200, unlimited = false } = endpoint;
    const named = endpoint.path.includes('{');
    const openBody = auth === 'none' && method !== 'GET';
    const respond = (exchange: Exchange): HandlerResult | Promise<HandlerResult> => {
      const { request, peers, url, path } = exchange;
      const mark = url.indexOf('?', path);
      if (named && hasBadEscape(url, path, mark)) throw malformedPath();
      const { values, unknown } = readQuery(mark < 0 ? '' : url.slice(mark + 1));
      exchange.query = values;
      exchange.unknown = unknown;
      if (named) exchange.params = request.params ?? EMPTY;
      return openBody ? guard.withOpenBody(request, peers, () => handle(exchange)) : handle(exchange);
    };
    return (request, peers, given) => {
      const exchange = new Exchange(this.#nextId(), request, peers, clock(), unlimited);
      try {
        const counted = this.#admit(endpoint, exchange, given);
        const result = counted ? counted.then(() => respond(exchange)) : respond(exchange);
        if (!(result instanceof Promise)) return this.#ok(result, status, exchange, exchange.now);
        return result.then(
          (given) => {
            exchange.unknown ??= unknownFields(request);
            return this.#ok(given, status, exchange, clock());
          },
          (error) => {
            exchange.unknown ??= unknownFields(request);
            return this.#rejected(error, exchange, clock());
          },
        );
      } catch (error) {
        return this.#rejected(error, exchange, exchange.now);
      }
    };
  }

  /** The checks in front of an endpoint. Throws if one fails; a promise resolves when the request is counted. */
  #admit(endpoint: Endpoint, exchange: Exchange, given: Caller | undefined): Promise<void> | undefined {
    const { guard, stopping } = this.#options;
    const { auth, scope, anySession, method, lines, eventStream, unlimited = false } = endpoint;
    const { request, peers, now } = exchange;
    exchange.url = request.url;
    exchange.path = pathStart(exchange.url);
    if (isTooLong(exchange.url, exchange.path)) throw tooLong();
    if ((auth === 'key' || method !== 'GET') && stopping())
      throw new ServiceError('shutting_down', 'The service is stopping. Try again soon.', { retryAfterSeconds: 2 });
    if (auth === 'none') {
      if (unlimited) return;
      exchange.isCounted = true;
      guard.countAddress(request, peers, now);
      return;
    }
    if (auth === 'key') {
      const caller = given ?? guard.authenticate(request, peers, now);
      exchange.caller = caller;
      if (!caller.session || !anySession) guard.requireScope(caller, scope!);
      // An open stream counts as one; a rejected one counts against the address, as a rejected upgrade does.
      exchange.isCounted = !eventStream || request.method !== 'GET';
      // Lines have a separate allowance.
      return lines || !exchange.isCounted ? undefined : guard.countRequest(caller, now);
    }
    exchange.caller =
      auth === 'session'
        ? guard.authenticateSession(request, peers, now)
        : guard.authenticateHook(exchange.request.params!.token!, request, peers, now);
    exchange.isCounted = true;
    return guard.countRequest(exchange.caller, now);
  }

  /** `now` is the time that the rate limit headers refer to. */
  #ok(result: HandlerResult, status: number, exchange: Exchange, now: number): Response {
    const { now: clock, log } = this.#options;
    this.latency.observe((clock() - exchange.now) / 1000);
    const warning = exchange.unknown === null ? undefined : warningHeader(exchange.unknown);
    const response =
      typeof result === 'object' && 'tag' in result && !('stream' in result)
        ? this.#tagged(result, exchange, warning, now)
        : this.#untagged(result, status, exchange, warning, now);
    if (log.writes('debug')) {
      const path = loggedPath(exchange.request);
      log.debug('request served', { request_id: exchange.id, path, status: response.status });
    }
    return response;
  }

  #untagged(
    result: Exclude<HandlerResult, TaggedResponse>,
    status: number,
    { id, request, caller }: Exchange,
    warning: Readonly<Record<string, string>> | undefined,
    now: number,
  ): Response {
    const position = typeof result === 'object' && 'position' in result ? result.position : undefined;
    const headers = this.#responseHeaders.of(id, caller, now, position ?? null);
    if (typeof result === 'string') return this.#plain(result, status, request, headers, warning);
    if ('stream' in result) return this.#streamed(result, request, headers, warning);
    if ('prepared' in result) return this.#prepared(result, request, headers, warning);
    if ('status' in result) return this.#plain(result.body, result.status, request, headers, warning);
    const own = 'cookie' in result ? { 'Set-Cookie': result.cookie } : 'headers' in result ? result.headers : null;
    return this.#plain(result.body, status, request, headers, own ? { ...warning, ...own } : warning);
  }

  #plain(
    body: string,
    status: number,
    request: Request,
    headers: Headers,
    extra: Readonly<Record<string, string>> | undefined,
  ): Response {
    const origin = request.headers.get('origin');
    if (origin === null) return this.#send(body, status, headers, extra);
    const all = { ...extra };
    this.#options.allowOrigin(origin, all);
    return this.#send(body, status, headers, all);
  }

  /** The client may cache a response with a tag, but must revalidate it on each use. */
  #tagged(
    result: TaggedResponse,
    { id, request, caller }: Exchange,
    warning: Readonly<Record<string, string>> | undefined,
    now: number,
  ): Response {
    const { body, headers: selected } = selectRepresentation(result, request.headers);
    const all: Record<string, string> = { ...warning, ...result.headers, ...selected };
    this.#options.allowOrigin(request.headers.get('origin'), all);
    const { ETag: etag = '', Vary: vary = '', ...extra } = all;
    const headers = this.#responseHeaders.revalidated(id, caller, now, result.position ?? null, { etag, vary });
    return this.#conditional(body, headers, extra);
  }

  #streamed(
    result: StreamedResponse,
    request: Request,
    headers: Headers,
    warning: Readonly<Record<string, string>> | undefined,
  ): Response {
    const { status, body, headers: own } = selectStream(result, request);
    const extra = { ...warning, ...own };
    this.#options.allowOrigin(request.headers.get('origin'), extra);
    return status === 304 ? this.#conditional(null, headers, extra) : this.#send(body, status, headers, extra);
  }

  #prepared(
    { status, body, headers: own }: PreparedResponse,
    request: Request,
    headers: Headers,
    warning: Readonly<Record<string, string>> | undefined,
  ): Response {
    const extra = { ...warning, ...own };
    this.#options.allowOrigin(request.headers.get('origin'), extra);
    return status === 304 ? this.#conditional(null, headers, extra) : this.#send(body, status, headers, extra);
  }

  #conditional(
    body: string | Bytes | null,
    headers: Headers | Record<string, string>,
    extra?: Readonly<Record<string, string>>,
  ): Response {
    if (body !== null) return this.#send(body, 200, headers, extra);
    const response = this.#send(null, 304, headers, extra);
    response.headers.delete('Content-Type');
    return response;
  }

  /** The answer to a preflight request of a path that is not in the table. */
  preflight(request: Request, peers: PeerLookup, allowed: string): Response {
    const { guard, now } = this.#options;
    guard.countAddress(request, peers, now());
    return this.#preflight(this.#nextId(), request, allowed);
  }

  #preflight(id: string, request: Request, allowed: string): Response {
    return this.#send(null, 204, { ...this.#headers(id, request), ...PREFLIGHT_HEADERS, Allow: allowed });
  }

  /** The failure of a request that did not count yet: it counts against the address. */
  #uncounted(error: unknown, id: string, request: Request, peers: PeerLookup): Response {
    const { guard, now } = this.#options;
    return this.#failed(guard.counted(error, request, peers, now()), id, request, {});
  }

  /** The failure of a request. It counts as an error of the caller and, if the request was not counted yet, against the address. */
  #rejected(error: unknown, { id, request, peers, caller, unknown, isCounted }: Exchange, now: number): Response {
    const { guard, keyring } = this.#options;
    const shown = isCounted ? error : guard.counted(error, request, peers, now);
    if (caller) keyring.recordError(caller);
    const headers = { ...(caller && rateLimitHeaders(caller, now)), ...(unknown !== null && warningHeader(unknown)) };
    return this.#failed(shown, id, request, headers);
  }

  #failed(error: unknown, id: string, request: Request, headers: Record<string, string>): Response {
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
    extra?: Readonly<Record<string, string>>,
  ): Response {
    this.statuses.add(status);
    const response = new Response(body, { status, headers });
    if (extra) for (const name in extra) response.headers.set(name, extra[name]!);
    return response;
  }

  #nextId(): string {
    return `${this.#idPrefix}-${(++this.#requests).toString(36)}`;
  }
}

const EMPTY = {};

/** A request on its way through the checks to its endpoint, and what they find out about it. */
class Exchange implements HandlerCall {
  readonly id: string;
  readonly request: RoutedRequest;
  readonly peers: PeerLookup;
  readonly now: number;
  /** Whether the request was counted, or counts against no limit. If false, a failure counts against the address. */
  isCounted: boolean;
  url = '';
  /** Index of the path in the URL. */
  path = 0;
  caller: Caller | null = null;
  params: Readonly<Record<string, string>> = EMPTY;
  query: Record<string, unknown> = EMPTY;
  /** Unknown parameters or fields, as the response header names them. */
  unknown: string | null = null;

  constructor(id: string, request: RoutedRequest, peers: PeerLookup, now: number, isCounted: boolean) {
    this.id = id;
    this.request = request;
    this.peers = peers;
    this.now = now;
    this.isCounted = isCounted;
  }
}
