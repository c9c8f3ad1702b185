// The REST API of this process as the tools see it: the same handlers with the key and the address of the caller, so a call
// counts, is limited and fails exactly as if the caller had sent it.
import type { PeerLookup } from '../http/guard.ts';
import type { Handler, RoutedRequest } from '../http/handler.ts';
import type { Service } from './service.ts';

/** Headers of the caller that decide about access and limits. Cookies are left out: sessions cannot use the tools. */
const FORWARDED = ['x-api-key', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'host'];

interface Route {
  readonly segments: readonly string[];
  readonly handle: Handler;
}

export class LocalRoutes {
  /** Routes without parameters come first. */
  readonly #routes: readonly Route[];
  readonly #notFound: Handler;

  /** `routes`: handlers by path in the notation of the runtime's router, with `:name` for a parameter. */
  constructor(routes: Readonly<Record<string, Handler>>, notFound: Handler) {
    this.#notFound = notFound;
    this.#routes = Object.entries(routes)
      .map(([path, handle]): Route => ({ segments: path.split('/'), handle }))
      .sort((a, b) => parameters(a) - parameters(b));
  }

  /** The API as the sender of a request sees it. */
  serviceOf(caller: Request, peers: PeerLookup): Service {
    const { origin } = new URL(caller.url);
    const address = peers.requestIP(caller);
    const ownPeers: PeerLookup = { requestIP: () => address };
    const headers = FORWARDED.flatMap((name) => {
      const value = caller.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return {
      request: async (path, { method = 'GET', body, headers: own = {} } = {}) => {
        const request: RoutedRequest = new Request(origin + path, {
          method,
          headers: { ...Object.fromEntries(headers), ...own },
          ...(body !== undefined && { body }),
        });
        const { handle, params } = this.#match(new URL(request.url).pathname);
        return handle(Object.assign(request, { params }), ownPeers);
      },
    };
  }

  #match(path: string): { readonly handle: Handler; readonly params: Record<string, string> } {
    const given = path.split('/');
    for (const { segments, handle } of this.#routes) {
      const params = paramsOf(segments, given);
      if (params) return { handle, params };
    }
    return { handle: this.#notFound, params: {} };
  }
}

const parameters = ({ segments }: Route): number => segments.filter((segment) => segment.startsWith(':')).length;

/** `null` if the path does not match. */
function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(given[at]!);
    else if (segment !== given[at]) return null;
  }
  return params;
}
