// REST: turns the routes of the domains into handlers by path. Every request passes the same checks.
import { ENDPOINTS, type Endpoint, type EndpointName } from '@tickwire/contract';
import type { Guard, PeerLookup } from '../access/guard.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Histogram } from '../ops/metrics.ts';
import { EMPTY, Exchange } from './exchange.ts';
import type { EndpointHandler, Handler, HandlerResult, RoutedRequest, Routes } from './handler.ts';
import { NOT_FOUND_PAGE, prefersHtml } from './not-found-page.ts';
import type { Page } from './page.ts';
import { routeOf } from './path-table.ts';
import { notAllowed, READ, READ_AND_SUBMIT, READ_METHODS } from './problem.ts';
import { queryReader, type ResolveSymbol } from './query.ts';
import type { ReadWork } from './read-work.ts';
import { readReplay } from './replay-parameter.ts';
import { hasBadEscape, isTooLong, malformedPath, pathStart, tooLong } from './request-path.ts';
import { rateLimitHeaders, warningHeader } from './response-headers.ts';
import { Responses, type ResponsesOptions } from './responses.ts';

export interface ApiOptions extends ResponsesOptions {
  /** The routes of all domains. */
  readonly routes: Routes;
  /** The handler of a route that runs on the ingest node, on other nodes. */
  readonly forward?: (name: EndpointName) => EndpointHandler;
  readonly guard: Guard;
  readonly keyring: Keyring;
  readonly reads: ReadWork;
  readonly resolveSymbol: ResolveSymbol;
  /** The handler of an endpoint as of the clock of a replay session. Throws if it has none. */
  readonly asOf?: (name: EndpointName, replay: string) => EndpointHandler;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

export class Api {
  readonly latency = new Histogram();
  readonly responses: Responses;
  readonly #options: ApiOptions;
  readonly #missingPage: Handler;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.responses = new Responses(options);
    this.#missingPage = this.page(NOT_FOUND_PAGE);
  }

  /** Handlers by path, in the notation of the runtime's router. Default: those of all endpoints. */
  routes(served = Object.keys(ENDPOINTS) as readonly EndpointName[]): Record<string, Handler> {
    const byPath = Map.groupBy(served, (name) => ENDPOINTS[name].path);
    return Object.fromEntries(
      [...byPath].map(([path, names]) => [
        routeOf(path),
        this.#path(names.map((name) => [name, this.#handlerOf(name)])),
      ]),
    );
  }

  /** The same for the endpoints that run on the ingest node. */
  writerRoutes(): Record<string, Handler> {
    const isOfWriter = (name: EndpointName): boolean => {
      const route = this.#options.routes[name];
      return typeof route === 'object' && 'writer' in route;
    };
    return this.routes((Object.keys(ENDPOINTS) as EndpointName[]).filter(isOfWriter));
  }

  #handlerOf(name: EndpointName): EndpointHandler {
    const { routes, forward, reads } = this.#options;
    const route = routes[name];
    if (typeof route === 'object' && 'cost' in route) return reads.handlerOf(route);
    const handler = typeof route === 'object' ? (route.writer ?? forward?.(name)) : route;
    if (!handler) throw new Error(`no module has a route for the endpoint ${name}`);
    return handler;
  }

  /** For requests that match no route. */
  readonly notFound: Handler = (request, peers) => {
    if (isTooLong(request.url)) return this.#uncounted(tooLong(), request, peers);
    if (prefersHtml(request)) return this.#missingPage(request, peers);
    const detail = 'There is no endpoint or page at this path. See /docs for the API reference.';
    return this.#uncounted(new ServiceError('not_found', detail), request, peers);
  };

  /** A page or asset: needs no key, supports GET and HEAD. */
  page(page: Page): Handler {
    return this.#page((id, request) => this.responses.page(page, id, request));
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
        return this.responses.page(await render(request), id, request);
      } catch (error) {
        return this.responses.failed(error, id, request, {});
      }
    }, allowed);
  }

  #page(show: (id: string, request: RoutedRequest) => Response | Promise<Response>, allowed = READ): Handler {
    const { guard, now } = this.#options;
    return (request, peers) => {
      const id = this.responses.nextId();
      try {
        guard.countAddress(request, peers, now());
        if (request.method === 'OPTIONS') return this.responses.preflight(id, request, allowed);
        if (!allowed.split(', ').includes(request.method)) throw notAllowed(request, allowed);
        return show(id, request);
      } catch (error) {
        return this.responses.failed(error, id, request, {});
      }
    };
  }

  /** The error response to a request that is handled elsewhere, such as a WebSocket upgrade. */
  refuse(error: unknown, request: Request, peers: PeerLookup | null): Response {
    if (peers) return this.#uncounted(error, request, peers);
    return this.responses.failed(error, this.responses.nextId(), request, {});
  }

  /** The answer to a preflight request of a path that is not in the table. */
  preflight(request: Request, peers: PeerLookup, allowed: string): Response {
    const { guard, now } = this.#options;
    guard.countAddress(request, peers, now());
    return this.responses.preflight(this.responses.nextId(), request, allowed);
  }

  /** The handler of a path: dispatches by method, and rejects methods that the path does not support. */
  #path(endpoints: readonly (readonly [EndpointName, EndpointHandler])[]): Handler {
    const { guard, now } = this.#options;
    const methods = endpoints.map(([name]) => ENDPOINTS[name].method);
    const allowed = `${methods.map((method) => (method === 'GET' ? READ_METHODS : method)).join(', ')}, OPTIONS`;
    const handlers = new Map<string, Handler>();
    for (const [name, handle] of endpoints) {
      const { method } = ENDPOINTS[name];
      const handler = this.#handler(name, handle);
      handlers.set(method, handler);
      if (method === 'GET') handlers.set('HEAD', handler);
    }
    return (request, peers, given) => {
      const handler = handlers.get(request.method);
      if (handler) return handler(request, peers, given);
      const id = this.responses.nextId();
      try {
        guard.countAddress(request, peers, now());
        if (request.method === 'OPTIONS') return this.responses.preflight(id, request, allowed);
        throw notAllowed(request, allowed);
      } catch (error) {
        return this.responses.failed(error, id, request, {});
      }
    };
  }

  #handler(name: EndpointName, usual: EndpointHandler): Handler {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { guard, now: clock, resolveSymbol, asOf } = this.#options;
    const readQuery = queryReader(endpoint.query, resolveSymbol, endpoint.ignoresUnknown);
    const { auth, tag, method, status = 200, unlimited = false } = endpoint;
    const canReplay = asOf && tag !== 'Replay' && !unlimited;
    const named = endpoint.path.includes('{');
    const openBody = auth === 'none' && method !== 'GET';
    const respond = (exchange: Exchange): HandlerResult | Promise<HandlerResult> => {
      const { request, peers, url, path } = exchange;
      const mark = url.indexOf('?', path);
      if (named && hasBadEscape(url, path, mark)) throw malformedPath();
      const given = mark < 0 ? '' : url.slice(mark + 1);
      const { replay, query } = canReplay ? readReplay(request, given) : { replay: null, query: given };
      const { values, unknown } = readQuery(query);
      exchange.query = values;
      exchange.unknown = unknown;
      if (named) exchange.params = request.params ?? EMPTY;
      const handle = canReplay && replay !== null ? asOf(name, replay) : usual;
      return openBody ? guard.withOpenBody(request, peers, () => handle(exchange)) : handle(exchange);
    };
    return (request, peers, given) => {
      const exchange = new Exchange(this.responses.nextId(), request, peers, clock(), unlimited);
      try {
        const counted = this.#admit(endpoint, exchange, given);
        const result = counted ? counted.then(() => respond(exchange)) : respond(exchange);
        if (!(result instanceof Promise)) return this.#ok(result, status, exchange, exchange.now);
        return result.then(
          (given) => this.#ok(given, status, exchange, clock()),
          (error) => this.#rejected(error, exchange, clock()),
        );
      } catch (error) {
        return this.#rejected(error, exchange, exchange.now);
      }
    };
  }

  /** The checks in front of an endpoint. Throws if one fails; a promise resolves when the request is counted. */
  #admit(endpoint: Endpoint, exchange: Exchange, given: Caller | undefined): Promise<void> | undefined {
    const { guard, stopping } = this.#options;
    const { auth, scope, anySession, method, lines, unlimited = false } = endpoint;
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
      exchange.isCounted = true;
      // Lines have a separate allowance.
      return lines ? undefined : guard.countRequest(caller, now);
    }
    exchange.caller =
      auth === 'session'
        ? guard.authenticateSession(request, peers, now)
        : guard.authenticateHook(exchange.request.params!.token!, request, peers, now);
    exchange.isCounted = true;
    return guard.countRequest(exchange.caller, now);
  }

  #ok(result: HandlerResult, status: number, exchange: Exchange, now: number): Response {
    this.latency.observe((this.#options.now() - exchange.now) / 1000);
    return this.responses.ok(result, status, exchange, now);
  }

  /** The failure of a request. It counts as an error of the caller and, if the request was not counted yet, against the address. */
  #rejected(error: unknown, { id, request, peers, caller, unknown, isCounted }: Exchange, now: number): Response {
    const { guard, keyring } = this.#options;
    const shown = isCounted ? error : guard.counted(error, request, peers, now);
    if (caller) keyring.recordError(caller);
    const headers = { ...(caller && rateLimitHeaders(caller, now)), ...(unknown !== null && warningHeader(unknown)) };
    return this.responses.failed(shown, id, request, headers);
  }

  /** The failure of a request that did not count yet: it counts against the address. */
  #uncounted(error: unknown, request: Request, peers: PeerLookup): Response {
    const { guard, now } = this.#options;
    const id = this.responses.nextId();
    return this.responses.failed(guard.counted(error, request, peers, now()), id, request, {});
  }
}
