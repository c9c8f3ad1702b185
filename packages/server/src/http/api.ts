// REST: turns the endpoint table into routes. Each request passes the same gate, and every failure leaves as a problem of
// the catalogue with the request's id.
import { randomBytes } from 'node:crypto';
import {
  API_VERSION,
  type CoverageQuery,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type LogQuery,
  type MarketQuery,
  type NewsQuery,
  type PublishersQuery,
  type SignalQuery,
} from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import type { AiAnswers } from '../ai/http.ts';
import type { Log } from '../ops/log.ts';
import { Histogram } from '../ops/metrics.ts';
import type { Answers } from './answers.ts';
import { ApiError } from './api-error.ts';
import { type AllowOrigin, PREFLIGHT_HEADERS } from './cors.ts';
import { allowanceHeaders, type Guard, type PeerLookup } from './guard.ts';
import type { Ingest } from './ingest.ts';
import type { NewsAnswers } from './news.ts';
import type { Page } from './pages.ts';
import { queryReader } from './query.ts';
import type { SignalAnswers } from './signals.ts';

/** Path and query together. The longest sensible request names every symbol and stays well below. */
const MAX_URL = 8_192;

export interface RoutedRequest extends Request {
  readonly params?: Readonly<Record<string, string>>;
}
export type Handler = (request: RoutedRequest, peers: PeerLookup) => Response | Promise<Response>;

export interface ApiOptions {
  readonly answers: Answers;
  readonly signals: SignalAnswers;
  readonly news: NewsAnswers;
  readonly ai: AiAnswers;
  readonly ingest: Ingest;
  readonly guard: Guard;
  readonly allowOrigin: AllowOrigin;
  readonly simulated: boolean;
  readonly now: () => number;
  readonly log: Log;
  /** What `/readyz` reports, part by part. */
  readonly checks: () => Readonly<Record<string, string>>;
  readonly stopping: () => boolean;
}

interface Call {
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly caller: Caller | null;
  readonly now: number;
  readonly request: Request;
}

type Answer = (call: Call) => string | Promise<string>;

export class Api {
  readonly latency = new Histogram();
  /** Answers by status. */
  readonly statuses = new Map<number, number>();
  readonly #options: ApiOptions;
  /** Headers of every good answer, with and without a key. A response copies them, so one object of each serves all. */
  readonly #keyed: Headers;
  readonly #keyless: Headers;
  readonly #idPrefix = randomBytes(5).toString('hex');
  #requests = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    const common = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'API-Version': API_VERSION,
      ...(options.simulated && { 'Data-Source': 'simulated' }),
    };
    this.#keyed = new Headers(common);
    this.#keyless = new Headers(common);
  }

  /** Handlers by path, in the notation of the server's router. */
  routes(): Record<string, Handler> {
    const { answers, signals, news, ai, ingest } = this.#options;
    const answer: { readonly [K in EndpointName]: Answer } = {
      symbols: () => answers.symbols(),
      market: ({ params, query }) => answers.market(params.symbol!, query as MarketQuery),
      quote: ({ params }) => answers.quote(params.symbol!),
      quotes: ({ query }) => answers.quotes(query.symbols as string[] | undefined),
      signals: ({ query }) => signals.list(query as SignalQuery),
      publishSignal: ({ request, caller }) => signals.publish(request, caller!),
      signal: ({ params }) => signals.detail(params.id!),
      signalProof: ({ params }) => signals.proof(params.id!),
      closeSignal: ({ params, request, caller }) => signals.close(params.id!, request, caller!),
      signalLog: ({ query }) => signals.log(query as LogQuery),
      signalHead: () => signals.head(),
      publishers: ({ query }) => signals.publishers(query as PublishersQuery),
      publisher: ({ params }) => signals.publisher(params.name!),
      tradingViewHook: ({ request, caller }) => signals.alert(request, caller!),
      news: ({ query }) => news.list(query as NewsQuery),
      newsCalibration: ({ now }) => news.calibration(now),
      newsSources: () => news.sources(),
      aiSentiment: ({ request, caller, now }) => ai.sentiment(request, caller!, now),
      aiBrief: ({ params, caller, now }) => ai.brief(params.symbol!, caller!, now),
      aiModels: () => ai.models(),
      session: ({ now }) => answers.session(now),
      usage: ({ caller, now }) => answers.usage(caller!, now),
      coverage: ({ params, query, now }) => answers.coverage(params.symbol!, query as CoverageQuery, now),
      feeds: () => answers.feeds(),
      ingestTicks: ({ request, caller }) => ingest.ticks(request, caller!),
      ingestNews: ({ request, caller }) => ingest.news(request, caller!),
      healthz: () => JSON.stringify({ status: this.#options.stopping() ? 'stopping' : 'ok' }),
      readyz: () => this.#readiness(),
    };
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
      targetOf(request).length > MAX_URL
        ? tooLong()
        : new ApiError('not_found', `There is nothing at this path; /docs describes what there is.`);
    return this.#problem(error, id, request, {});
  };

  /** A page or asset: no key, one method. */
  page({ body, headers: own }: Page): Handler {
    return (request) => {
      const id = this.#nextId();
      try {
        if (request.method === 'OPTIONS') return this.#preflight(id, request, READ);
        if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed(request, READ);
        const headers = { ...this.#headers(id, request), ...own };
        const fresh = request.headers.get('if-none-match') === own.ETag;
        return this.#sent(fresh ? new Response(null, { status: 304, headers }) : new Response(body, { headers }));
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
    const readQuery = endpoint.query && queryReader(endpoint.query);
    const { scope, status = 200 } = endpoint;
    /** The key stands in the path. */
    const hooked = endpoint.path.includes('{token}');
    return (request, peers) => {
      const { guard, signals, now: clock } = this.#options;
      const now = clock();
      const id = this.#nextId();
      let caller: Caller | null = null;
      try {
        const target = targetOf(request);
        if (target.length > MAX_URL) throw tooLong();
        if ((scope || hooked) && this.#options.stopping())
          throw new ApiError('shutting_down', 'The service is stopping.', { headers: { 'Retry-After': '2' } });
        if (scope) {
          caller = guard.authenticate(request, peers, now);
          guard.scope(caller, scope);
          // Lines have an allowance of their own.
          if (!endpoint.lines) guard.allowance(caller, now);
        } else if (hooked) caller = signals.alerting(request.params!.token!, request, peers, now);
        const mark = target.indexOf('?');
        if (request.params && hasBadEscape(mark < 0 ? target : target.slice(0, mark))) {
          throw new ApiError('malformed_path', 'The path holds a percent-encoding that cannot be decoded.');
        }
        const query = readQuery ? readQuery(mark < 0 ? '' : target.slice(mark + 1)) : {};
        const result = answer({ params: request.params ?? NO_PARAMS, query, caller, now, request });
        if (typeof result === 'string') return this.#ok(result, status, id, request, caller, now);
        return result.then(
          (body) => this.#ok(body, status, id, request, caller, now),
          (error) => this.#failed(error, id, request, allowanceOf(caller, now)),
        );
      } catch (error) {
        return this.#failed(error, id, request, allowanceOf(caller, now));
      }
    };
  }

  #ok(body: string, status: number, id: string, request: Request, caller: Caller | null, started: number): Response {
    const { now, log, allowOrigin } = this.#options;
    this.latency.observe((now() - started) / 1000);
    if (log.writes('debug')) log.debug('answered', { request_id: id, path: pathOf(request), status });
    const headers = caller ? this.#keyed : this.#keyless;
    headers.set('X-Request-Id', id);
    if (caller) for (const [name, value] of allowanceHeaders(caller, started)) headers.set(name, value);
    const origin = request.headers.get('origin');
    if (origin === null) return this.#sent(new Response(body, { status, headers }));
    const extra: Record<string, string> = {};
    allowOrigin(origin, extra);
    return this.#sent(new Response(body, { status, headers: { ...headers.toJSON(), ...extra } }));
  }

  /** One source of several may be down without keeping callers away; the store, or all of them, may not. */
  #readiness(): string {
    const checks = this.#options.checks();
    const wrong = Object.keys(checks).filter((part) => checks[part] !== 'ok');
    const feeds = Object.keys(checks).filter((part) => part.startsWith('feed'));
    const unfit = wrong.some((part) => !feeds.includes(part)) || feeds.every((part) => wrong.includes(part));
    const status = this.#options.stopping() ? 'stopping' : wrong.length > 0 ? 'degraded' : 'ok';
    const body = JSON.stringify({ status, checks });
    if (status === 'stopping' || unfit) throw new NotReady(body);
    return body;
  }

  #preflight(id: string, request: Request, allowed: string): Response {
    return this.#sent(
      new Response(null, {
        status: 204,
        headers: { ...this.#headers(id, request), ...PREFLIGHT_HEADERS, Allow: allowed },
      }),
    );
  }

  #failed(error: unknown, id: string, request: Request, headers: Record<string, string>): Response {
    if (error instanceof NotReady) {
      const all = { ...this.#headers(id, request), 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      return this.#sent(new Response(error.message, { status: 503, headers: all }));
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
    return this.#sent(new Response(error.body(id), { status: error.status, headers }));
  }

  #headers(id: string, request: Request, headers: Record<string, string> = {}): Record<string, string> {
    headers['X-Request-Id'] = id;
    headers['API-Version'] = API_VERSION;
    if (this.#options.simulated) headers['Data-Source'] = 'simulated';
    const origin = request.headers.get('origin');
    if (origin !== null) this.#options.allowOrigin(origin, headers);
    return headers;
  }

  #sent(response: Response): Response {
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    return response;
  }

  #nextId(): string {
    return `${this.#idPrefix}-${(++this.#requests).toString(36)}`;
  }
}

const READ_METHODS = 'GET, HEAD';
const READ = `${READ_METHODS}, OPTIONS`;
const NO_PARAMS = {};

const notAllowed = ({ method }: Request, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method.slice(0, 20)} is not possible here.`, { headers: { Allow: allowed } });

const allowanceOf = (caller: Caller | null, now: number): Record<string, string> =>
  caller ? Object.fromEntries(allowanceHeaders(caller, now)) : {};

/** Carries the body of a readiness report that is not a problem but a 503 all the same. */
class NotReady extends Error {}

const tooLong = (): ApiError => new ApiError('uri_too_long', `Path and query may have ${MAX_URL} characters together.`);

const hasBadEscape = (path: string): boolean => {
  if (!path.includes('%')) return false;
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
};

/** Path and query, without the host: that is what the client says it is, and may be anything. */
const targetOf = ({ url }: Request): string => url.slice(url.indexOf('/', 'https://'.length));

/** For the log: what stands behind /hooks/ is a secret. */
const pathOf = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').replace(/(\/hooks\/[^/]*\/).*/i, '$1…');
