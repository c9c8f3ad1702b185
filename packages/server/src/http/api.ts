// REST: turns the endpoint table into routes. Each request passes the same gate, and every failure leaves as a problem of
// the catalogue with the request's id.
import { randomBytes } from 'node:crypto';
import { API_VERSION, ENDPOINTS, type Endpoint, type EndpointName } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import type { Log } from '../ops/log.ts';
import { Counts, Histogram } from '../ops/metrics.ts';
import { AnswerHeaders, allowanceHeaders } from './account-headers.ts';
import { type Answer, type Answered, type AnsweringParts, answerTable } from './answer-table.ts';
import { ApiError } from './api-error.ts';
import { type Bytes, type Selected, select, type Tagged } from './conditional.ts';
import { type AllowOrigin, PREFLIGHT_HEADERS } from './cors.ts';
import type { Guard, PeerLookup } from './guard.ts';
import type { Page } from './pages.ts';
import { queryReader } from './query.ts';
import { NotReady } from './readiness.ts';

/** Path and query together. The longest sensible request names every symbol and stays well below. */
const MAX_URL = 8_192;

export interface RoutedRequest extends Request {
  readonly params?: Readonly<Record<string, string>>;
}
export type Handler = (request: RoutedRequest, peers: PeerLookup) => Response | Promise<Response>;

export interface ApiOptions extends AnsweringParts {
  readonly guard: Guard;
  readonly allowOrigin: AllowOrigin;
  readonly simulated: boolean;
  readonly now: () => number;
  readonly log: Log;
}

export class Api {
  readonly latency = new Histogram();
  /** Answers by status. */
  readonly statuses = new Counts(600);
  readonly #options: ApiOptions;
  readonly #answerHeaders: AnswerHeaders;
  readonly #idPrefix = randomBytes(5).toString('hex');
  #requests = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#answerHeaders = new AnswerHeaders(options.simulated);
  }

  /** Handlers by path, in the notation of the server's router. */
  routes(): Record<string, Handler> {
    const answer = answerTable(this.#options);
    const byPath = Map.groupBy(Object.keys(ENDPOINTS) as EndpointName[], (name) => ENDPOINTS[name].path);
    return Object.fromEntries(
      [...byPath].map(([path, names]) => [
        path.replaceAll(/\{(\w+)\}/g, ':$1'),
        this.#path(names.map((name) => [ENDPOINTS[name], answer[name]])),
      ]),
    );
  }

  /** Whatever no route takes. */
  readonly notFound: Handler = (request) => {
    const id = this.#nextId();
    const error =
      request.url.length - pathStart(request.url) > MAX_URL
        ? tooLong()
        : new ApiError('not_found', `There is nothing at this path; /docs describes what there is.`);
    return this.#problem(error, id, request, {});
  };

  /** A page or asset: no key, one method. */
  page({ content, headers: own }: Page): Handler {
    return (request) => {
      const id = this.#nextId();
      try {
        if (request.method === 'OPTIONS') return this.#preflight(id, request, READ);
        if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed(request, READ);
        const { body, headers: selected } = select(content, request.headers);
        const headers = new Headers(this.#headers(id, request, { ...own, ...selected }));
        return this.#selected(body, headers);
      } catch (error) {
        return this.#failed(error, id, request, {});
      }
    };
  }

  /** An error to a request that is answered elsewhere, such as an upgrade. */
  refuse(error: unknown, request: Request): Response {
    return this.#failed(error, this.#nextId(), request, {});
  }

  /** One path: what its methods do, and what is said to the others. */
  #path(endpoints: readonly (readonly [Endpoint, Answer])[]): Handler {
    const allowed = `${endpoints.map(([{ method }]) => (method === 'GET' ? READ_METHODS : method)).join(', ')}, OPTIONS`;
    const handlers = new Map<string, Handler>();
    for (const [endpoint, answer] of endpoints) {
      const handler = this.#handler(endpoint, answer);
      handlers.set(endpoint.method, handler);
      if (endpoint.method === 'GET') handlers.set('HEAD', handler);
    }
    return (request, peers) => {
      const handler = handlers.get(request.method);
      if (handler) return handler(request, peers);
      const id = this.#nextId();
      if (request.method === 'OPTIONS') return this.#preflight(id, request, allowed);
      return this.#problem(notAllowed(request, allowed), id, request, {});
    };
  }

  #handler(endpoint: Endpoint, answer: Answer): Handler {
    const { guard, now: clock, stopping } = this.#options;
    const readQuery = endpoint.query && queryReader(endpoint.query);
    const { scope, session, method, status = 200, lines } = endpoint;
    const named = endpoint.path.includes('{');
    /** The key stands in the path. */
    const hooked = endpoint.path.includes('{token}');
    return (request, peers) => {
      const now = clock();
      const id = this.#nextId();
      let caller: Caller | null = null;
      try {
        const { url } = request;
        const path = pathStart(url);
        if (url.length - path > MAX_URL) throw tooLong();
        if ((scope || method === 'POST') && stopping())
          throw new ApiError('shutting_down', 'The service is stopping.', { headers: { 'Retry-After': '2' } });
        let counted: Promise<void> | undefined;
        if (scope) {
          caller = guard.authenticate(request, peers, now);
          if (!caller.session || session !== 'too') guard.scope(caller, scope);
          // Lines have an allowance of their own.
          if (!lines) counted = guard.allowance(caller, now);
        } else if (session === 'only') {
          caller = guard.signedIn(request, peers, now);
          counted = guard.allowance(caller, now);
        } else if (hooked) {
          caller = guard.alerting(request.params!.token!, request, peers, now);
          counted = guard.allowance(caller, now);
        }
        const respond = (): Answered | Promise<Answered> => {
          const mark = url.indexOf('?', path);
          if (named && hasBadEscape(url, path, mark))
            throw new ApiError('malformed_path', 'The path holds a percent-encoding that cannot be decoded.');
          const query = readQuery ? readQuery(mark < 0 ? '' : url.slice(mark + 1)) : NOTHING;
          return answer({ params: (named && request.params) || NOTHING, query, caller, now, request, peers });
        };
        const result = counted ? counted.then(respond) : respond();
        if (!(result instanceof Promise)) return this.#ok(result, status, id, request, caller, now, now);
        return result.then(
          (given) => this.#ok(given, status, id, request, caller, now, clock()),
          (error) => this.#refused(error, id, request, caller, clock()),
        );
      } catch (error) {
        return this.#refused(error, id, request, caller, now);
      }
    };
  }

  /** `now` is the time that the allowance is told for. */
  #ok(
    given: Answered,
    status: number,
    id: string,
    request: Request,
    caller: Caller | null,
    started: number,
    now: number,
  ): Response {
    const { now: clock, log } = this.#options;
    this.latency.observe((clock() - started) / 1000);
    const headers = this.#answerHeaders.of(id, caller, now);
    const response =
      typeof given === 'string'
        ? this.#plain(given, status, request, headers)
        : 'tag' in given
          ? this.#tagged(given, request, headers)
          : this.#plain(given.body, status, request, withExtra(headers, { 'Set-Cookie': given.cookie }));
    if (log.writes('debug')) {
      log.debug('answered', { request_id: id, path: pathOf(request), status: response.status });
    }
    return response;
  }

  #plain(body: string, status: number, request: Request, headers: Headers): Response {
    const origin = request.headers.get('origin');
    if (origin === null) return this.#send(body, status, headers);
    const extra: Record<string, string> = {};
    this.#options.allowOrigin(origin, extra);
    return this.#send(body, status, withExtra(headers, extra));
  }

  /** An answer with a tag may be kept by the caller, who asks each time whether it still holds. */
  #tagged(answer: Tagged, request: Request, headers: Headers): Response {
    const { body, headers: selected } = select(answer, request.headers);
    const extra = { ...selected, 'Cache-Control': 'private, no-cache' };
    this.#options.allowOrigin(request.headers.get('origin'), extra);
    return this.#selected(body, withExtra(headers, extra));
  }

  #selected(body: Selected['body'], headers: Headers): Response {
    if (body !== null) return this.#send(body, 200, headers);
    headers.delete('Content-Type');
    return this.#send(null, 304, headers);
  }

  #preflight(id: string, request: Request, allowed: string): Response {
    return this.#send(null, 204, { ...this.#headers(id, request), ...PREFLIGHT_HEADERS, Allow: allowed });
  }

  /** A failure of a request that had come past the gate, or not. */
  #refused(error: unknown, id: string, request: Request, caller: Caller | null, now: number): Response {
    if (caller) this.#options.keyring.failed(caller);
    return this.#failed(error, id, request, allowanceOf(caller, now));
  }

  #failed(error: unknown, id: string, request: Request, headers: Record<string, string>): Response {
    if (error instanceof NotReady) {
      const all = { ...this.#headers(id, request), 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      return this.#send(error.message, 503, all);
    }
    if (error instanceof ApiError) return this.#problem(error, id, request, headers);
    this.#options.log.error('a request failed', { request_id: id, path: pathOf(request), error });
    return this.#problem(
      new ApiError('internal', `The service failed. Its log has more under ${id}.`),
      id,
      request,
      headers,
    );
  }

  #problem(error: ApiError, id: string, request: Request, extra: Record<string, string>): Response {
    const headers = {
      ...this.#headers(id, request, extra),
      ...error.options.headers,
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
    };
    if (this.#options.log.writes('debug')) {
      this.#options.log.debug('refused', {
        request_id: id,
        path: pathOf(request),
        status: error.status,
        code: error.code,
      });
    }
    return this.#send(error.body(id), error.status, headers);
  }

  #headers(id: string, request: Request, headers: Record<string, string> = {}): Record<string, string> {
    headers['X-Request-Id'] = id;
    headers['API-Version'] = API_VERSION;
    if (this.#options.simulated) headers['Data-Source'] = 'simulated';
    this.#options.allowOrigin(request.headers.get('origin'), headers);
    return headers;
  }

  #send(body: string | Bytes | null, status: number, headers: Headers | Record<string, string>): Response {
    this.statuses.add(status);
    return new Response(body, { status, headers });
  }

  #nextId(): string {
    return `${this.#idPrefix}-${(++this.#requests).toString(36)}`;
  }
}

const READ_METHODS = 'GET, HEAD';
const READ = `${READ_METHODS}, OPTIONS`;
const NOTHING = {};

const notAllowed = ({ method }: Request, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method.slice(0, 20)} is not possible here.`, { headers: { Allow: allowed } });

const allowanceOf = (caller: Caller | null, now: number): Record<string, string> =>
  caller ? allowanceHeaders(caller, now) : {};

const tooLong = (): ApiError => new ApiError('uri_too_long', `Path and query may have ${MAX_URL} characters together.`);

const hasBadEscape = (url: string, path: number, mark: number): boolean => {
  const first = url.indexOf('%', path);
  if (first < 0 || (mark >= 0 && first > mark)) return false;
  try {
    decodeURIComponent(url.slice(path, mark < 0 ? url.length : mark));
    return false;
  } catch {
    return true;
  }
};

/** Where path and query begin. The host before them is what the client says it is, and may be anything. */
const pathStart = (url: string): number => url.indexOf('/', 'https://'.length);

function withExtra(headers: Headers, extra: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const name in extra) all.set(name, extra[name]!);
  return all;
}

/** For the log: what stands behind /hooks/ is a secret. */
const pathOf = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').replace(/(\/hooks\/[^/]*\/).*/i, '$1…');
